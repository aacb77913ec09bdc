import type { Field } from '#domain/fields/field.ts'
import { DropdownEditor } from '#web/field-kinds/cell-editors/dropdown-editor.tsx'
import { valueToEdit } from '#web/field-kinds/cell-editors/editor-value.tsx'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { searchPeople } from '#web/shared/lookups/search-options.ts'
import { PersonChip } from './person-chip.tsx'

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
