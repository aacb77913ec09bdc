import { Button } from '@mantine/core'
import { IconAlertTriangle } from '#web/kit/icons/icon-alert-triangle.ts'
import { IconCheck } from '#web/kit/icons/icon-check.ts'
import { IconCloudUpload } from '#web/kit/icons/icon-cloud-upload.ts'
import { type DraftStatus, type RecordDraft, statusOf } from './record-draft.ts'
import './record-view.css'

const WORDS: { readonly [Status in DraftStatus]: string } = {
  saved: 'Saved',
  waiting: 'Not saved yet',
  saving: 'Saving…',
  invalid: 'Not saved: see the marked field',
  conflict: 'Not saved: somebody else changed it too',
  failed: 'Not saved',
}

const isTrouble = (status: DraftStatus): boolean => status === 'invalid' || status === 'conflict' || status === 'failed'

type SaveStatusProps = {
  readonly draft: RecordDraft
  /** Whether what is wrong is said beside a field. */
  readonly isMarked: boolean
  readonly onRetry: () => void
}

/** Says at all times how it stands with saving, and offers another try where one failed. */
export function SaveStatus({ draft, isMarked, onRetry }: SaveStatusProps) {
  const status = statusOf(draft)
  const words = status === 'invalid' && !isMarked ? 'Not saved: a rule is broken' : WORDS[status]
  const Icon = isTrouble(status) ? IconAlertTriangle : status === 'saved' ? IconCheck : IconCloudUpload
  return (
    <div className="save-status" data-status={status}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <span className="save-words">{words}</span>
      {/* Every keystroke changes the words; only what matters is read aloud. */}
      <span role="status" className="visually-hidden">
        {isTrouble(status) || status === 'saved' ? `${words}${draft.failure ? `. ${draft.failure.detail}` : ''}` : ''}
      </span>
      {status === 'failed' && (
        <>
          {draft.failure && (
            <span className="save-detail">{draft.failure.title}. What you wrote is kept in this browser.</span>
          )}
          <Button size="xs" onClick={onRetry}>
            Try again
          </Button>
        </>
      )}
    </div>
  )
}
