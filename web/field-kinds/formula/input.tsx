import { TextInput } from '@mantine/core'
import { type ComputedField, rollupsIn } from '#domain/formulas/value-field.ts'
import { inputFrameProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { t } from '#web/i18n/t.ts'
import { useRecalculating } from '#web/data/queries/recalculating-fields.ts'
import { useDescription } from '#web/ui/popup/use-description.tsx'
import { formulaText } from './formula-text.ts'

export type CalculatedInputProps = Pick<InputProps<'formula'>, 'label' | 'description' | 'error' | 'place'> & {
  readonly field: ComputedField
  readonly value: unknown
}

/** The value of a calculated field, which can't be edited. */
export function FormulaInput(props: CalculatedInputProps) {
  const { field, value, description, place } = props
  const isCurrent = useRecalculating({ name: place.collection, fields: [field] }).length === 0
  const source = rollupsIn([field]).length > 0 ? t('Calculated from linked records') : t('Calculated from other fields')
  const { described, tooltip } = useDescription(source, 'bottom-start')
  return (
    <>
      <TextInput
        {...inputFrameProps(props)}
        {...described}
        description={isCurrent ? description : t('Being recalculated. The value may not be current.')}
        required={false}
        readOnly
        className="tabular"
        value={formulaText(field, value)}
      />
      {tooltip}
    </>
  )
}
