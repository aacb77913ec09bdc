import { t } from '#web/i18n/t.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { recordPath } from './app-link.tsx'

export const copyRecordLink = (collection: string, recordId: string): void =>
  void navigator.clipboard.writeText(`${window.location.origin}${recordPath(collection, recordId)}`).then(
    () => notify.success(t('Link copied')),
    () => notify.error(t('Couldn’t copy the link'), { detail: t('Copy it from the address bar instead.') }),
  )
