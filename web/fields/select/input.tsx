import { Dropdown } from '#web/kit/dropdown/dropdown.tsx'
import { t } from '#web/language/t.ts'
import { inputFrameProps } from '../frame-props.ts'
import type { InputProps } from '../part-props.ts'
import { useSelectOptions } from './choice-options.ts'

/** One of the field's choices. */
export function SelectInput(props: InputProps<'select'>) {
  const { field, value, onChange, onDone, readOnly, autoFocus } = props
  const options = useSelectOptions(field)
  const change = (next: string | null) => {
    onChange(next)
    onDone?.()
  }
  return (
    <Dropdown
      {...inputFrameProps(props)}
      options={options}
      value={value}
      onChange={change}
      placeholder={t('Choose')}
      readOnly={readOnly ?? false}
      autoFocus={autoFocus ?? false}
    />
  )
}
