import { supportsPart } from '#domain/access/permission.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { t } from '#web/i18n/t.ts'
import type { AccessQuestion } from './access-question.ts'

type FieldPickerProps = {
  readonly collection: TypedCollection | undefined
  readonly asked: AccessQuestion
  readonly placeholder: string
  readonly onField: (field: string | null) => void
}

export function FieldPicker({ collection, asked, placeholder, onField }: FieldPickerProps) {
  if (!collection || !supportsPart(asked.permission, 'fields')) return null
  return (
    <Dropdown
      label={t('Which field')}
      placeholder={placeholder}
      options={collection.fields.map(({ id, label }) => ({ value: id, label }))}
      value={asked.field}
      onChange={onField}
    />
  )
}
