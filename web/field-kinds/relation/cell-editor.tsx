import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { DropdownEditor } from '#web/field-kinds/cell-editors/dropdown-editor.tsx'
import { valueToEdit } from '#web/field-kinds/cell-editors/editor-value.tsx'
import { useCreateLinked } from './use-create-linked.tsx'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { type DropdownOption, OptionRow } from '#web/ui/dropdown/option.tsx'
import { recordSearch, searchPeople } from '#web/shared/lookups/search-options.ts'
import { PersonChip } from './relation.tsx'

const renderOption = (option: DropdownOption) => <OptionRow option={option} checked={false} />

export function RelationCellEditor(props: CellEditorProps<Field<'relation'>>) {
  const { field, line } = props
  const { collection, many } = field.options
  const queryClient = useQueryClient()
  const search = useMemo(() => recordSearch(queryClient, collection), [queryClient, collection])
  const { create } = useCreateLinked(collection, false)
  const stored = toClientValue('relation', valueToEdit(line, field))
  return (
    <DropdownEditor
      {...props}
      search={search}
      onCreate={create}
      isMany={many}
      start={stored.map(({ id, title }) => ({ value: id, label: title === '' ? UNTITLED : title }))}
      toValue={(chosen) => chosen.map(({ value, label }) => ({ id: value, title: label }))}
      renderOption={renderOption}
    />
  )
}

export function UserCellEditor(props: CellEditorProps<Field<'user'>>) {
  const { field, line } = props
  const stored = toClientValue('user', valueToEdit(line, field))
  return (
    <DropdownEditor
      {...props}
      search={searchPeople}
      isMany={field.options.many}
      start={stored.map(({ id, name }) => ({ value: id, label: name }))}
      toValue={(chosen) => chosen.map(({ value, label }) => ({ id: value, name: label }))}
      renderOption={({ label, description }) => (
        <span className="cell-editor-person">
          <PersonChip name={label} />
          {description !== undefined && <span className="option-description">{description}</span>}
        </span>
      )}
    />
  )
}
