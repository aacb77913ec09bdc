import { useId, useLayoutEffect, useRef, useState } from 'react'
import { isDay } from '#domain/fields/date.ts'
import { instantOfLocal, localOfInstant } from '#web/shared/formatting/local-date-time.ts'
import { t } from '#web/i18n/t.ts'
import type { CellEditorProps } from './cell-editor-props.ts'
import { EditorError } from './editor-error.tsx'
import { TextEditor } from './text-editor.tsx'
import { useEditorValue, valueToEdit } from './use-editor-value.ts'

/** A day, or a day and a time: picked in the browser's own field, or typed in any form people here write it in. */
export function DateEditor(props: CellEditorProps) {
  return props.editor.seed === undefined ? <PickedDate {...props} /> : <TextEditor {...props} />
}

function PickedDate(props: CellEditorProps) {
  const { field, line } = props
  const hasTime = field.kind === 'date-time'
  const stored = valueToEdit(line, field)
  const before = typeof stored === 'string' ? stored : null
  const shown = before !== null && hasTime ? localOfInstant(before) : (before ?? '')
  const [text, setText] = useState(shown)
  const inputRef = useRef<HTMLInputElement>(null)
  const read = () => {
    if (inputRef.current?.validity.badInput) return { fault: t('Enter a complete date.') }
    // Seconds that the browser's field does not show must not be lost by looking.
    if (text === shown) return { value: before }
    if (hasTime) return { value: instantOfLocal(text) }
    return text === '' || isDay(text) ? { value: text === '' ? null : text } : { fault: t('Enter a complete date.') }
  }
  const { fault, forgive } = useEditorValue(props, read)
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
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          forgive()
        }}
      />
      <EditorError id={faultId} fault={fault} />
    </div>
  )
}
