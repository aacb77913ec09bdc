import { Dropdown } from '#web/kit/dropdown/dropdown.tsx'
import { t } from '#web/language/t.ts'
import { inputFrameProps } from '../frame-props.ts'
import type { InputProps } from '../part-props.ts'
import { useSelectOptions } from '../select/choice-options.ts'

/** Some of the field's choices, in the order they are chosen. */
export function MultiSelectInput(props: InputProps<'multi-select'>) {
  const { field, value, onChange, onDone, readOnly, autoFocus } = props
  const options = useSelectOptions(field)
  const change = (next: readonly string[]) => {
    onChange(next)
    onDone?.()
  }
  return (
    <Dropdown
      {...inputFrameProps(props)}
      multiple
      options={options}
      value={value}
      onChange={change}
      {...(value.length === 0 && { placeholder: t('Choose') })}
      readOnly={readOnly ?? false}
      autoFocus={autoFocus ?? false}
    />
  )
}
