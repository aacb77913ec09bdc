import { Dialog } from '#web/kit/dialog.tsx'
import { Button } from '@mantine/core'
import { countOf } from '#web/fields/format-value.ts'
import type { GridPaste } from '#web/kit/grid/grid-editing.ts'
import '#web/kit/states.css'

type PasteBeyondProps = {
  readonly paste: GridPaste
  readonly onAnswer: (answer: 'make' | 'leave' | 'cancel') => void
}

/** Asks what becomes of the rows of a paste for which there are no records. */
export function PasteBeyond({ paste, onAnswer }: PasteBeyondProps) {
  const { rowsBeyond, block } = paste
  const rest = countOf(rowsBeyond, 'row', 'rows')
  return (
    <Dialog
      opened
      onClose={() => onAnswer('cancel')}
      title={`Paste ${countOf(paste.texts.length, 'row', 'rows')}`}
      size={440}
    >
      <div className="confirm-form">
        <div className="confirm-text">
          {block.rowCount > 0 && <p>{countOf(block.rowCount, 'record here gets', 'records here get')} new values.</p>}
          <p>There is no record here for {rest} more. They can become new records at the same time.</p>
        </div>
        <div className="confirm-actions">
          <Button onClick={() => onAnswer('cancel')}>Cancel</Button>
          {block.rowCount > 0 && <Button onClick={() => onAnswer('leave')}>Leave them out</Button>}
          <Button variant="filled" data-autofocus onClick={() => onAnswer('make')}>
            Make {countOf(rowsBeyond, 'new record', 'new records')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
