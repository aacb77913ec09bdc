import { FIELD_KINDS, type FieldKind } from '#domain/fields/field.ts'
import { KIND_PRESENTATION } from '#web/shared/fields/kind-presentation.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import '../schema.css'

type KindPickerProps = {
  readonly kind: FieldKind
  /** The kind of a field that exists already. */
  readonly stored: FieldKind | undefined
  /** Whether another field of the collection is its state: there is one at most. */
  readonly hasState: boolean
  readonly onKind: (kind: FieldKind) => void
}

/** Files cannot become anything else, nor anything else files. */
const isPossible = (kind: FieldKind, stored: FieldKind | undefined): boolean =>
  stored === undefined || kind === stored || (kind !== 'files' && stored !== 'files')

/** What a field holds: every kind with what it is for. */
export function KindPicker({ kind, stored, hasState, onKind }: KindPickerProps) {
  return (
    <WithHelp setting="field-kind">
      <fieldset className="kind-choice">
        <legend>{t('Field type')}</legend>
        <div>
          {FIELD_KINDS.map((each) => {
            const { label, hint, Icon } = KIND_PRESENTATION[each]
            return (
              <label key={each} className="kind-option" data-chosen={each === kind || undefined} title={hint}>
                <input
                  type="radio"
                  name="kind"
                  checked={each === kind}
                  disabled={!isPossible(each, stored) || (each === 'state' && hasState)}
                  onChange={() => onKind(each)}
                />
                <Icon size={16} stroke={1.5} aria-hidden />
                <span>{label}</span>
              </label>
            )
          })}
        </div>
        <p>{KIND_PRESENTATION[kind].hint}</p>
      </fieldset>
    </WithHelp>
  )
}
