import { TextInput } from '@mantine/core'
import type { Field, RollupKind } from '#domain/fields/field.ts'
import { inputFrameProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { t } from '#web/i18n/t.ts'
import { formulaText } from './formula-text.ts'

export type CalculatedInputProps = Pick<InputProps<'formula'>, 'label' | 'description' | 'error' | 'place'> & {
  readonly field: Field<'formula' | RollupKind>
  readonly value: unknown
}

/** The value of a calculated field, which can’t be edited. */
export function FormulaInput(props: CalculatedInputProps) {
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
