import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { checkboxRules } from '#domain/fields/checkbox.ts'
import type { CellEditorProps } from './cell-editor-props.ts'
import { useEditorValue } from './use-editor-value.ts'

/** Yes or no. The space bar in the grid turns it over without an editor. */
export function CheckboxEditor(props: CellEditorProps) {
  const { field, line, editor } = props
  const stored = line.record.values[field.name] === true
  const [isChecked, setChecked] = useState(() => (editor.seed === undefined ? stored : typed(editor.seed, stored)))
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

/** `y`, `n`, `1`, `0`, `x` say what is meant; any other key does not. */
function typed(seed: string, stored: boolean): boolean {
  const read = checkboxRules.parse(seed, NO_FIELD)
  return read.ok ? read.value : stored
}

const NO_FIELD = {
  id: '',
  name: '',
  label: '',
  kind: 'checkbox',
  required: false,
  unique: false,
  default: null,
  options: {},
} as const
