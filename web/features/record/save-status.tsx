import { Button } from '@mantine/core'
import { IconAlertTriangle } from '#web/ui/icons/start.ts'
import { IconCheck } from '#web/ui/icons/general.ts'
import { IconCloudUpload } from '#web/ui/icons/later.ts'
import { t } from '#web/i18n/t.ts'
import { type DraftStatus, type RecordDraft, statusOf } from '#web/shared/record-drafts/record-draft.ts'
import './record-view.css'

const STATUS_LABELS: { readonly [Status in DraftStatus]: string } = {
  saved: t('Saved'),
  waiting: t('Not saved yet'),
  saving: t('Saving…'),
  invalid: t('Not saved: check the highlighted field'),
  conflict: t('Not saved: someone else edited it too'),
  failed: t('Not saved'),
}

const needsAttention = (status: DraftStatus): boolean =>
  status === 'invalid' || status === 'conflict' || status === 'failed'

type SaveStatusProps = {
  readonly draft: RecordDraft
  readonly isMarked: boolean
  readonly onRetry: () => void
}

export function SaveStatus({ draft, isMarked, onRetry }: SaveStatusProps) {
  const status = statusOf(draft)
  const words = status === 'invalid' && !isMarked ? t('Not saved: a validation rule failed') : STATUS_LABELS[status]
  const Icon = needsAttention(status) ? IconAlertTriangle : status === 'saved' ? IconCheck : IconCloudUpload
  return (
    <div className="save-status" data-status={status}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <span className="save-words">{words}</span>
      {/* Announces only relevant states, not every keystroke. */}
      <span role="status" className="visually-hidden">
        {needsAttention(status) || status === 'saved'
          ? `${words}${draft.failure ? `. ${draft.failure.detail}` : ''}`
          : ''}
      </span>
      {status === 'failed' && (
        <>
          {draft.failure && (
            <span className="save-detail">
              {t('{title}. Your changes are kept in this browser.', { title: draft.failure.title })}
            </span>
          )}
          <Button size="xs" onClick={onRetry}>
            {t('Try again')}
          </Button>
        </>
      )}
    </div>
  )
}
