import { TextInput } from '@mantine/core'
import { t } from '#web/language/t.ts'
import { inputFrameProps } from '../frame-props.ts'
import type { InputProps } from '../part-props.ts'

/** The number of the record: the server gives it, nobody writes it. */
export function AutoNumberInput(props: InputProps<'auto-number'>) {
  const { value } = props
  return (
    <TextInput
      {...inputFrameProps(props)}
      required={false}
      readOnly
      className="tabular"
      value={value === null ? '' : String(value)}
      placeholder={t('Given when it is stored')}
    />
  )
}
