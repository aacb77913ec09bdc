import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { checkboxRules } from '#domain/fields/checkbox.ts'
import type { Field } from '#domain/fields/field.ts'
import { useEditorValue } from '#web/field-kinds/cell-editors/editor-value.tsx'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'

/** Opened by typing; the space bar toggles the checkbox without opening an editor. */
export function CheckboxCellEditor(props: CellEditorProps<Field<'checkbox'>>) {
  const { field, line, editor } = props
  const [isChecked, setChecked] = useState(() => {
    const typed = editor.seed === undefined ? undefined : checkboxRules.parse(editor.seed, field)
    return typed?.ok ? typed.value : line.record.values[field.name] === true
  })
  useEditorValue(props, () => ({ value: isChecked }))
  return (
    <div className="cell-editor cell-editor-checkbox">
      <Checkbox
        size="sm"
        autoFocus
        aria-label={field.label}
        checked={isChecked}
        onChange={({ currentTarget }) => setChecked(currentTarget.checked)}
      />
    </div>
  )
}
