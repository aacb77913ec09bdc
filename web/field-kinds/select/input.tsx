import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { t } from '#web/i18n/t.ts'
import { inputFrameProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { useMemo } from 'react'
import type { Field, SelectKind } from '#domain/fields/field.ts'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'

export const useSelectOptions = ({ options: { choices } }: Field<SelectKind>): readonly DropdownOption[] =>
  useMemo(() => choices.map(({ name, color }) => ({ value: name, label: name, hue: color })), [choices])

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
      placeholder={t('Select…')}
      readOnly={readOnly ?? false}
      autoFocus={autoFocus ?? false}
    />
  )
}
