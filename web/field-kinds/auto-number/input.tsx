import { TextInput } from '@mantine/core'
import { t } from '#web/i18n/t.ts'
import { inputFrameProps } from '#web/field-kinds/input-frame.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'

export function AutoNumberInput(props: InputProps<'auto-number'>) {
  const { value } = props
  return (
    <TextInput
      {...inputFrameProps(props)}
      required={false}
      readOnly
      className="tabular"
      value={value === null ? '' : String(value)}
      placeholder={t('Assigned when saved')}
    />
  )
}
