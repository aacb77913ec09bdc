import { TextInput } from '@mantine/core'
import { inputFrameProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { t } from '#web/i18n/t.ts'
import { formulaText } from './formula-text.ts'

export function FormulaInput(props: InputProps<'formula'>) {
  const { field, value, description } = props
  return (
    <TextInput
      {...inputFrameProps(props)}
      description={description ?? t('Calculated from other fields')}
      required={false}
      readOnly
      className="tabular"
      value={formulaText(field, value)}
    />
  )
}
