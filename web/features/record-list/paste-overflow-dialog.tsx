import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Button } from '@mantine/core'
import type { GridPaste } from '#web/ui/grid/editing/grid-editing.ts'
import '#web/ui/feedback/feedback.css'
import { plural, t } from '#web/i18n/t.ts'

type PasteOverflowDialogProps = {
  readonly paste: GridPaste
  readonly onAnswer: (answer: 'make' | 'leave' | 'cancel') => void
}

export function PasteOverflowDialog({ paste, onAnswer }: PasteOverflowDialogProps) {
  const { rowsBeyond, block } = paste
  return (
    <Dialog
      opened
      onClose={() => onAnswer('cancel')}
      title={plural(paste.texts.length, 'Paste {n} row', 'Paste {n} rows')}
      size={440}
    >
      <div className="confirm-form">
        <div className="confirm-text">
          {block.rowCount > 0 && (
            <p>{plural(block.rowCount, '{n} record here will be updated.', '{n} records here will be updated.')}</p>
          )}
          <p>
            {plural(
              rowsBeyond,
              '{n} row goes beyond the end of the list. You can create a new record for it.',
              '{n} rows go beyond the end of the list. You can create new records for them.',
            )}
          </p>
        </div>
        <div className="confirm-actions">
          <Button onClick={() => onAnswer('cancel')}>{t('Cancel')}</Button>
          {block.rowCount > 0 && <Button onClick={() => onAnswer('leave')}>{t('Skip them')}</Button>}
          <Button variant="filled" data-autofocus onClick={() => onAnswer('make')}>
            {plural(rowsBeyond, 'Create {n} new record', 'Create {n} new records')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
