import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { inputFrameProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { useSelectOptions } from '#web/field-kinds/select/input.tsx'

/** A status is never empty, so this input has no clear button. */
export function StateInput(props: InputProps<'state'>) {
  const { field, value, onChange, onDone, readOnly, autoFocus } = props
  const options = useSelectOptions(field)
  const change = (next: string | null) => {
    if (next === null) return
    onChange(next)
    onDone?.()
  }
  return (
    <Dropdown
      {...inputFrameProps(props)}
      options={options}
      value={value}
      onChange={change}
      clearable={false}
      readOnly={readOnly ?? false}
      autoFocus={autoFocus ?? false}
    />
  )
}
