import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SelectKind, Field } from '#domain/fields/field.ts'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { recordSearch } from '#web/shared/lookups/search-records.ts'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { isEmptyClientValue, toClientValue } from '#web/shared/fields/client-value.ts'
import { searchPeople } from '#web/shared/lookups/search-people.ts'
import { PersonChip } from '#web/field-kinds/user/person-chip.tsx'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'
import type { CellEditorProps } from './cell-editor-props.ts'
import { DropdownEditor } from './dropdown-editor.tsx'
import { valueToEdit } from './use-editor-value.ts'

/** A choice, or several, in their colours. */
export function OptionEditor(props: CellEditorProps<Field<SelectKind>>) {
  const { field, line } = props
  const { choices } = field.options
  const options = useMemo(
    () => choices.map(({ name, color }): DropdownOption => ({ value: name, label: name, hue: color })),
    [choices],
  )
  const stored = valueToEdit(line, field)
  const names = field.kind === 'multi-select' ? toClientValue('multi-select', stored) : namesIn(stored)
  return (
    <DropdownEditor
      {...props}
      options={options}
      isMany={field.kind === 'multi-select'}
      start={names.map((name) => ({ value: name, label: name, hue: colorOf(field, name) }))}
      toValue={(chosen) => {
        const picked = chosen.map(({ value }) => value)
        return field.kind === 'multi-select' ? picked : (picked[0] ?? null)
      }}
      renderOption={({ label, hue }) => <OptionChip name={label} color={hue ?? 'gray'} />}
    />
  )
}

const namesIn = (value: unknown): readonly string[] => (typeof value === 'string' && value !== '' ? [value] : [])

const colorOf = ({ options }: Field<SelectKind>, name: string): string =>
  options.choices.find((choice) => choice.name === name)?.color ?? 'gray'

/** A related record, or several, found by the server while one types. */
export function RelationEditor(props: CellEditorProps<Field<'relation'>>) {
  const { field, line } = props
  const { collection, many } = field.options
  const queryClient = useQueryClient()
  const search = useMemo(() => recordSearch(queryClient, collection), [queryClient, collection])
  const stored = toClientValue('relation', valueToEdit(line, field))
  return (
    <DropdownEditor
      {...props}
      search={search}
      isMany={many}
      start={stored.map(({ id, title }) => ({ value: id, label: title === '' ? UNTITLED : title }))}
      toValue={(chosen) => chosen.map(({ value, label }) => ({ id: value, title: label }))}
      renderOption={({ label }) => label}
    />
  )
}

/** Somebody, or several people, found by their names. */
export function PeopleEditor(props: CellEditorProps<Field<'user'>>) {
  const { field, line } = props
  const stored = valueToEdit(line, field)
  const people = isEmptyClientValue('user', stored) ? [] : toClientValue('user', stored)
  return (
    <DropdownEditor
      {...props}
      search={searchPeople}
      isMany={field.options.many}
      start={people.map(({ id, name }) => ({ value: id, label: name }))}
      toValue={(chosen) => chosen.map(({ value, label }) => ({ id: value, name: label }))}
      renderOption={({ label }) => <PersonChip name={label} />}
    />
  )
}
