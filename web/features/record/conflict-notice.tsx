import { Button } from '@mantine/core'
import type { Field } from '#domain/fields/field.ts'
import type { DocumentReferencesBody } from '#api/records.ts'
import { FieldCell } from '#web/field-kinds/field-cell.tsx'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import { isEmptyClientValue } from '#web/shared/fields/client-value.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import './record-view.css'

type ConflictNoticeProps = {
  readonly field: Field
  readonly theirs: unknown
  /** References inside documents. */
  readonly inside?: DocumentReferencesBody | undefined
  /** Needed by documents only. */
  readonly place?: { readonly collection: string; readonly record: string }
  readonly onSettle: (whose: 'mine' | 'theirs') => void
}

/** Shows another user's value and asks which to keep; nothing is overwritten before. */
export function ConflictNotice({ field, theirs, inside, place, onSettle }: ConflictNoticeProps) {
  const isDocument = field.kind === 'rich-text' && !isEmptyClientValue(field.kind, theirs)
  return (
    <div className="conflict-notice" role="alert">
      <p>
        {t('Someone else just edited {label}. Your change isn’t saved yet.', { label: field.label })}{' '}
        {isDocument ? (
          t('Their version is below for comparing and copying.')
        ) : (
          <Say
            text="Their version: {theirs}"
            values={{
              theirs: (
                <span className="conflict-theirs">
                  {isEmptyClientValue(field.kind, theirs) ? t('empty') : <FieldCell field={field} value={theirs} />}
                </span>
              ),
            }}
          />
        )}
      </p>
      <div className="conflict-actions">
        <Button size="xs" onClick={() => onSettle('mine')}>
          {t('Keep my version')}
        </Button>
        <Button size="xs" onClick={() => onSettle('theirs')}>
          {t('Use their version')}
        </Button>
      </div>
      {isDocument && place && (
        <div className="conflict-document">
          <FieldInput
            field={field}
            value={theirs}
            onChange={() => undefined}
            label={t('Their version of {label}', { label: field.label })}
            readOnly
            place={place}
            inside={inside}
          />
        </div>
      )}
    </div>
  )
}
