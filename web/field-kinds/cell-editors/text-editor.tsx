import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'
import { textParser } from '#web/shared/cell-editing/operations/paste-values.ts'
import { cellText } from '#web/shared/fields/client-value.ts'
import { LOCAL_FORMAT } from '#web/shared/formatting/local-format.ts'
import { EditorError, useEditorValue, valueToEdit } from './editor-value.tsx'
import './cell-editor.css'

const NO_NAMES = new Map<string, never>()

type TextEditorProps = CellEditorProps & {
  /** Whether the text is used as the value without parsing. */
  readonly isPlainText?: boolean
  readonly isMultiline?: boolean
  readonly inputMode?: 'text' | 'decimal' | 'email' | 'url' | 'tel'
}

/** Editor for typed values, including dates typed instead of picked. */
export function TextEditor(props: TextEditorProps) {
  const { collection, field, line, editor, isPlainText, isMultiline, inputMode = 'text' } = props
  const stored = valueToEdit(line, field)
  // `cellText` escapes text for spreadsheets; the editor shows the unescaped text.
  const first = editor.seed ?? (typeof stored === 'string' ? stored : cellText(field, stored, LOCAL_FORMAT.decimal))
  const [text, setText] = useState(first)
  const read = () => {
    // An unchanged value isn't parsed, because it may be older than the field's current options.
    if (editor.seed === undefined && text === first) return { value: stored ?? null }
    if (isPlainText) return { value: text.trim() === '' ? null : text }
    const value = textParser(collection, field, LOCAL_FORMAT).read(text, NO_NAMES)
    return value.ok ? { value: value.value } : { fault: value.fault }
  }
  const { fault, clearFault } = useEditorValue(props, read)
  const faultId = useId()
  const inputRef = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  useLayoutEffect(() => {
    const input = inputRef.current
    input?.focus({ preventScroll: true })
    input?.setSelectionRange(input.value.length, input.value.length)
  }, [])
  const shared = {
    ref: inputRef,
    className: 'cell-editor-text',
    'aria-label': field.label,
    'aria-invalid': fault !== undefined,
    'aria-describedby': faultId,
    value: text,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      setText(currentTarget.value)
      clearFault()
    },
  }
  return (
    <div className="cell-editor">
      {isMultiline ? (
        <textarea {...shared} rows={rowsFor(text)} onKeyDown={(event) => breakLine(event, setText)} />
      ) : (
        <input
          {...shared}
          size={1}
          data-align={inputMode === 'decimal' ? 'end' : undefined}
          inputMode={inputMode}
          autoComplete="off"
          spellCheck={isPlainText === true}
        />
      )}
      <EditorError id={faultId} fault={fault} />
    </div>
  )
}

const rowsFor = (text: string): number =>
  Math.min(12, Math.max(3, text.split('\n').length + Math.floor(text.length / 60)))

/** Enter ends the edit, as in every other cell; with Shift or Alt it inserts a line break. */
function breakLine(event: KeyboardEvent<HTMLTextAreaElement>, setText: (text: string) => void): void {
  if (event.key !== 'Enter' || !(event.shiftKey || event.altKey)) return
  event.preventDefault()
  const { currentTarget: area } = event
  area.setRangeText('\n', area.selectionStart, area.selectionEnd, 'end')
  setText(area.value)
}

export const TextCellEditor = (props: CellEditorProps) => <TextEditor {...props} isPlainText />
export const LongTextCellEditor = (props: CellEditorProps) => <TextEditor {...props} isPlainText isMultiline />
export const NumberCellEditor = (props: CellEditorProps) => <TextEditor {...props} inputMode="decimal" />
export const EmailCellEditor = (props: CellEditorProps) => <TextEditor {...props} inputMode="email" />
export const UrlCellEditor = (props: CellEditorProps) => <TextEditor {...props} inputMode="url" />
export const PhoneCellEditor = (props: CellEditorProps) => <TextEditor {...props} inputMode="tel" />
