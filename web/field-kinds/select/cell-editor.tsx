import { useMemo } from 'react'
import type { Field, SelectKind } from '#domain/fields/field.ts'
import { DropdownEditor } from '#web/field-kinds/cell-editors/dropdown-editor.tsx'
import { valueToEdit } from '#web/field-kinds/cell-editors/editor-value.tsx'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'
import { OptionChip } from './option-chip.tsx'
import { useAddOption } from './use-add-option.ts'

type OptionEditorProps = CellEditorProps<Field<SelectKind>> & {
  readonly isMany: boolean
  readonly names: readonly string[]
}

function OptionEditor({ isMany, names, ...props }: OptionEditorProps) {
  const { field, add } = useAddOption(props.collection.id, props.field)
  const { choices } = field.options
  const options = useMemo(
    () => choices.map(({ name, color }): DropdownOption => ({ value: name, label: name, hue: color })),
    [choices],
  )
  const colorOf = (name: string) => choices.find((option) => option.name === name)?.color ?? 'gray'
  return (
    <DropdownEditor
      {...props}
      field={field}
      options={options}
      onCreate={add}
      isMany={isMany}
      start={names.map((name) => ({ value: name, label: name, hue: colorOf(name) }))}
      toValue={(chosen) => {
        const picked = chosen.map(({ value }) => value)
        return isMany ? picked : (picked[0] ?? null)
      }}
      renderOption={({ label, hue }) => <OptionChip name={label} color={hue ?? 'gray'} />}
    />
  )
}

export function SelectCellEditor(props: CellEditorProps<Field<'select' | 'state'>>) {
  const stored = toClientValue('select', valueToEdit(props.line, props.field))
  return <OptionEditor {...props} isMany={false} names={stored === null ? [] : [stored]} />
}

export function MultiSelectCellEditor(props: CellEditorProps<Field<'multi-select'>>) {
  return <OptionEditor {...props} isMany names={toClientValue('multi-select', valueToEdit(props.line, props.field))} />
}
