import { useId, useLayoutEffect, useRef, useState } from 'react'
import { isDay } from '#domain/shared/time.ts'
import { EditorError, useEditorValue, valueToEdit } from '#web/field-kinds/cell-editors/editor-value.tsx'
import { TextEditor } from '#web/field-kinds/cell-editors/text-editor.tsx'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'
import { instantOfLocal, localOfInstant } from '#web/shared/formatting/format-value.ts'
import { t } from '#web/i18n/t.ts'
import { pastedDate } from './pasted-date.ts'

/** Typing opens a text editor, which accepts every format; otherwise the browser's date picker opens. */
const DateEditor = (props: PickerProps) =>
  props.editor.seed === undefined ? <Picker {...props} /> : <TextEditor {...props} />

type PickerProps = CellEditorProps & { readonly hasTime: boolean }

function Picker(props: PickerProps) {
  const { field, line, hasTime } = props
  const stored = valueToEdit(line, field)
  const before = typeof stored === 'string' ? stored : null
  const shown = before !== null && hasTime ? localOfInstant(before) : (before ?? '')
  const [text, setText] = useState(shown)
  const inputRef = useRef<HTMLInputElement>(null)
  const read = () => {
    if (inputRef.current?.validity.badInput) return { fault: t('Enter a complete date.') }
    // The input hides seconds; an unchanged value keeps them.
    if (text === shown) return { value: before }
    if (hasTime) return { value: instantOfLocal(text) }
    return text === '' || isDay(text) ? { value: text === '' ? null : text } : { fault: t('Enter a complete date.') }
  }
  const { fault, clearFault } = useEditorValue(props, read)
  const faultId = useId()
  useLayoutEffect(() => inputRef.current?.focus({ preventScroll: true }), [])
  return (
    <div className="cell-editor">
      <input
        ref={inputRef}
        className="cell-editor-text"
        type={hasTime ? 'datetime-local' : 'date'}
        max={hasTime ? '9999-12-31T23:59' : '9999-12-31'}
        aria-label={field.label}
        aria-invalid={fault !== undefined}
        aria-describedby={faultId}
        value={text}
        onPaste={(event) => {
          const pasted = pastedDate(event, field)
          if (pasted !== undefined) setText(hasTime ? localOfInstant(pasted) : pasted)
        }}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          clearFault()
        }}
      />
      <EditorError id={faultId} fault={fault} />
    </div>
  )
}

export const DateCellEditor = (props: CellEditorProps) => <DateEditor {...props} hasTime={false} />
export const DateTimeCellEditor = (props: CellEditorProps) => <DateEditor {...props} hasTime />
