import { takesPart } from '#domain/access/grant-parts.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { Dropdown } from '#web/kit/dropdown/dropdown.tsx'
import { t } from '#web/language/t.ts'
import type { Asked } from './asked.ts'

type WhichFieldProps = {
  readonly collection: KnownCollection | undefined
  readonly asked: Asked
  /** What it means to choose none. */
  readonly placeholder: string
  readonly onField: (field: string | null) => void
}

/** The field that a right is asked about, where the right is about fields at all. */
export function WhichField({ collection, asked, placeholder, onField }: WhichFieldProps) {
  if (!collection || !takesPart(asked.permission, 'fields')) return null
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
