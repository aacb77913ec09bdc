import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { numberSymbols } from '#web/shared/formatting/parse-number.ts'
import type { CellEditorProps } from './cell-editor-props.ts'
import { cellText } from '#web/shared/cell-editing/operations/cell-text.ts'
import { EditorError } from './editor-error.tsx'
import { localFormats } from '#web/shared/cell-editing/operations/parse-local-text.ts'
import { textParser } from '#web/shared/cell-editing/operations/paste-values.ts'
import { useEditorValue, valueToEdit } from './use-editor-value.ts'

const SIGNS = numberSymbols()
const FORMS = localFormats(SIGNS)
const NO_NAMES = new Map<string, never>()

/** Everything that is typed: words, numbers, addresses, and days when they are typed instead of picked. */
export function TextEditor(props: CellEditorProps) {
  const { collection, field, line, editor } = props
  const begin = valueToEdit(line, field)
  // What is copied doubles some apostrophes; what is edited is the text itself.
  const first = editor.seed ?? (typeof begin === 'string' ? begin : cellText(field, begin, SIGNS.decimal))
  const [text, setText] = useState(first)
  const read = () => {
    // Nothing was typed, so nothing is to be read: a value may be older than what its field asks for now.
    if (editor.seed === undefined && text === first) return { value: begin ?? null }
    if (field.kind === 'text' || field.kind === 'long-text') return { value: text.trim() === '' ? null : text }
    const value = textParser(collection, field, FORMS).read(text, NO_NAMES)
    return value.ok ? { value: value.value } : { fault: value.fault }
  }
  const { fault, forgive } = useEditorValue(props, read)
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
      forgive()
    },
  }
  return (
    <div className="cell-editor">
      {field.kind === 'long-text' ? (
        <textarea {...shared} rows={rowsFor(text)} onKeyDown={(event) => breakLine(event, setText)} />
      ) : (
        <input
          {...shared}
          size={1}
          data-align={field.kind === 'number' ? 'end' : undefined}
          inputMode={INPUT_MODES[field.kind] ?? 'text'}
          autoComplete="off"
          spellCheck={field.kind === 'text'}
        />
      )}
      <EditorError id={faultId} fault={fault} />
    </div>
  )
}

const INPUT_MODES: { readonly [kind: string]: 'decimal' | 'email' | 'url' | 'tel' } = {
  number: 'decimal',
  email: 'email',
  url: 'url',
  phone: 'tel',
}

const rowsFor = (text: string): number =>
  Math.min(12, Math.max(3, text.split('\n').length + Math.floor(text.length / 60)))

/** Enter ends the edit, as in every other cell; with Shift or Alt it breaks the line. */
function breakLine(event: KeyboardEvent<HTMLTextAreaElement>, setText: (text: string) => void): void {
  if (event.key !== 'Enter' || !(event.shiftKey || event.altKey)) return
  event.preventDefault()
  const { currentTarget: area } = event
  area.setRangeText('\n', area.selectionStart, area.selectionEnd, 'end')
  setText(area.value)
}
