import { type ComputedField, resultField } from '#domain/formulas/value-field.ts'
import { t } from '#web/i18n/t.ts'
import { traitsOf } from '#web/shared/fields/kinds.ts'

/** A calculated value as text, in the reader's locale. */
export function formulaText(field: ComputedField, value: unknown): string {
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const result = resultField(field)
  return traitsOf(result).localText?.(value, result) ?? String(value)
}
