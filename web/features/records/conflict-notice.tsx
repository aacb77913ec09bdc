import { Button } from '@mantine/core'
import type { Field } from '#domain/fields/field.ts'
import { FieldCell } from '#web/fields/field-cells.tsx'
import { isEmptyShown } from '#web/fields/shown-value.ts'
import './record-view.css'

type ConflictNoticeProps = {
  readonly field: Field
  readonly theirs: unknown
  readonly onSettle: (whose: 'mine' | 'theirs') => void
}

/** Two people have changed one field: shows the other value and asks whose counts. Until then nothing is overwritten. */
export function ConflictNotice({ field, theirs, onSettle }: ConflictNoticeProps) {
  return (
    <div className="conflict-notice" role="alert">
      <p>
        Somebody else has changed {field.label} meanwhile. Yours is not saved yet. Theirs is:{' '}
        <span className="conflict-theirs">
          {isEmptyShown(field.kind, theirs) ? 'empty' : <FieldCell field={field} value={theirs} />}
        </span>
      </p>
      <div className="conflict-actions">
        <Button size="xs" onClick={() => onSettle('mine')}>
          Keep mine
        </Button>
        <Button size="xs" onClick={() => onSettle('theirs')}>
          Take theirs
        </Button>
      </div>
    </div>
  )
}
