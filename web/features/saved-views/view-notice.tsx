import { Button } from '@mantine/core'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { t } from '#web/i18n/t.ts'
import { type ViewNoticeProps, focusCurrentView } from './views-props.ts'
import { useChangeView } from './view-mutations.ts'
import { describeMissingParts } from './view-labels.ts'

export function ViewNotice({ collection, view, content }: ViewNoticeProps) {
  const { mutateAsync, isPending } = useChangeView(collection.id)
  const keepIt = () =>
    // The mutation reports the error.
    void mutateAsync({ view: view.id, body: { ...content, version: view.version } }).then(
      focusCurrentView,
      () => undefined,
    )
  return (
    <div className="view-notice">
      <Notice
        title={t('Part of this view no longer exists')}
        detail={describeMissingParts(view.fellAway)}
        actions={
          view.mayChange && (
            <Button size="xs" loading={isPending} onClick={keepIt}>
              {t('Remove it from the view')}
            </Button>
          )
        }
      />
    </div>
  )
}
