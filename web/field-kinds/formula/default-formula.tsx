import type { Field } from '#domain/fields/field.ts'
import { checkDefaultFormula } from '#domain/formulas/default-formulas.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FormulaEditor } from './formula-editor.tsx'

export type DefaultFormulaProps = {
  readonly collection: TypedCollection
  /** The field as it would be stored. */
  readonly field: Field
  readonly value: string
  readonly onChange: (formula: string) => void
  readonly error: string | undefined
}

/** The formula that calculates the default values of a field. */
export function DefaultFormula({ collection, field, value, onChange, error }: DefaultFormulaProps) {
  const siblings = collection.fields.filter(({ id }) => id !== field.id)
  const checked = checkDefaultFormula(value, field, siblings, () => true)
  return (
    <FormulaEditor
      label={t('Default value')}
      setting="field-default"
      value={value}
      onChange={onChange}
      error={error}
      fault={checked.ok || value.trim() === '' ? undefined : checked.fault}
      fields={siblings}
    />
  )
}
