import { useMemo } from 'react'
import type { Field, SelectKind } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'
import { inputFrameProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'
import { useAddOption } from './use-add-option.ts'

export const useSelectOptions = ({ options: { choices } }: Field<SelectKind>): readonly DropdownOption[] =>
  useMemo(() => choices.map(({ name, color }) => ({ value: name, label: name, hue: color })), [choices])

/** Shared logic of the single-select and multi-select inputs. */
export function useSelectInput(props: InputProps<'select'> | InputProps<'multi-select'>) {
  const { field, place, readOnly = false, autoFocus = false, canAddOptions = false } = props
  const addable = useAddOption(place.collection, field)
  const add = canAddOptions && !readOnly ? addable.add : undefined
  return {
    ...inputFrameProps(props),
    options: useSelectOptions(canAddOptions ? addable.field : field),
    readOnly,
    autoFocus,
    ...(add && { onCreate: async (text: string) => (await add(text))?.value }),
  }
}

export function SelectInput(props: InputProps<'select'>) {
  const { value, onChange, onDone } = props
  const change = (next: string | null) => {
    onChange(next)
    onDone?.()
  }
  return <Dropdown {...useSelectInput(props)} value={value} onChange={change} placeholder={t('Select…')} />
}

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
