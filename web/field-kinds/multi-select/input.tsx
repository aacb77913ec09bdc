import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { t } from '#web/i18n/t.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'
import { useSelectInput } from '#web/field-kinds/select/input.tsx'

export function MultiSelectInput(props: InputProps<'multi-select'>) {
  const { value, onChange, onDone } = props
  const change = (next: readonly string[]) => {
    onChange(next)
    onDone?.()
  }
  return (
    <Dropdown
      {...useSelectInput(props)}
      multiple
      value={value}
      onChange={change}
      {...(value.length === 0 && { placeholder: t('Select…') })}
    />
  )
}
