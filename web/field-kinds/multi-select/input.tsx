import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { t } from '#web/i18n/t.ts'
import { inputFrameProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { useSelectOptions } from '#web/field-kinds/select/input.tsx'

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
      {...(value.length === 0 && { placeholder: t('Select…') })}
      readOnly={readOnly ?? false}
      autoFocus={autoFocus ?? false}
    />
  )
}
