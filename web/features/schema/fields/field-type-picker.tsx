import { type Field, FIELD_KINDS, type FieldKind, isEntered } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'

type FieldTypePickerProps = {
  readonly collection: TypedCollection
  readonly kind: FieldKind
  readonly stored: Field | undefined
  readonly onKind: (kind: FieldKind) => void
}

/** Files and calculated values can't be converted. */
const isConvertible = (kind: FieldKind, stored: Field | undefined): boolean =>
  stored === undefined || kind === stored.kind || (isConverted(kind) && isConverted(stored.kind))

const isConverted = (kind: FieldKind): boolean => kind !== 'files' && isEntered({ kind })

export function FieldTypePicker({ collection, kind, stored, onKind }: FieldTypePickerProps) {
  // A collection can have only one status field.
  const hasStatus = collection.fields.some((field) => field.kind === 'state' && field.id !== stored?.id)
  const options = FIELD_KINDS.map((each) => {
    const { label, hint, Icon } = KIND_TRAITS[each]
    const disabled = !isConvertible(each, stored) || (each === 'state' && hasStatus)
    return { value: each, label, description: hint, icon: Icon, disabled }
  })
  return (
    <WithHelp setting="field-kind" isDescribed>
      <Dropdown
        label={t('Field type')}
        clearable={false}
        options={options}
        value={kind}
        onChange={(value) => {
          const next = FIELD_KINDS.find((each) => each === value)
          if (next) onKind(next)
        }}
      />
      <p className="field-type-hint">{KIND_TRAITS[kind].hint}</p>
    </WithHelp>
  )
}
