import type { Field, SelectKind } from '#domain/fields/field.ts'
import { StatusEditor } from './status-editor.tsx'
import { isSetByWorkflow } from '#web/shared/fields/editable-cells.ts'
import './cell-editor.css'
import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FileBody } from '#api/records.ts'
import { FilesInput } from '#web/field-kinds/files/input.tsx'
import { cellText, isEmptyClientValue, toClientValue } from '#web/shared/fields/client-value.ts'
import { Checkbox } from '@mantine/core'
import { checkboxRules } from '#domain/fields/checkbox.ts'
import { isDay } from '#domain/fields/date.ts'
import { instantOfLocal, localOfInstant } from '#web/shared/formatting/format-value.ts'
import { t } from '#web/i18n/t.ts'
import { type CellEditorProps, EditorError, useEditorValue, valueToEdit } from './editor-value.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { recordSearch } from '#web/shared/lookups/search-records.ts'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { searchPeople } from '#web/shared/lookups/search-people.ts'
import { PersonChip } from '#web/field-kinds/user/cell.tsx'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'
import { DropdownEditor } from './dropdown-editor.tsx'
import { numberSymbols } from '#web/shared/formatting/parse-number.ts'

import { localFormats, textParser } from '#web/shared/cell-editing/operations/paste-values.ts'

const SIGNS = numberSymbols()
const FORMS = localFormats(SIGNS)
const NO_NAMES = new Map<string, never>()

function TextEditor(props: CellEditorProps) {
  const { collection, field, line, editor } = props
  const begin = valueToEdit(line, field)
  // Copied text doubles some apostrophes; the editor shows the text itself.
  const first = editor.seed ?? (typeof begin === 'string' ? begin : cellText(field, begin, SIGNS.decimal))
  const [text, setText] = useState(first)
  const read = () => {
    // Unchanged input is not validated: a stored value can predate a rule of its field.
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

/** Enter saves, as in every other cell; with Shift or Alt it inserts a line break. */
function breakLine(event: KeyboardEvent<HTMLTextAreaElement>, setText: (text: string) => void): void {
  if (event.key !== 'Enter' || !(event.shiftKey || event.altKey)) return
  event.preventDefault()
  const { currentTarget: area } = event
  area.setRangeText('\n', area.selectionStart, area.selectionEnd, 'end')
  setText(area.value)
}

function OptionEditor(props: CellEditorProps<Field<SelectKind>>) {
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

function RelationEditor(props: CellEditorProps<Field<'relation'>>) {
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

function PeopleEditor(props: CellEditorProps<Field<'user'>>) {
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

function DateEditor(props: CellEditorProps) {
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
    // Seconds that the browser's input hides must not be lost.
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

function CheckboxEditor(props: CellEditorProps) {
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

/** Each file is stored when it is uploaded, so closing saves nothing. */
function FilesEditor(props: CellEditorProps<Field<'files'>>) {
  const { collection, field, line } = props
  const [files, setFiles] = useState<readonly FileBody[]>(() => toClientValue('files', line.record.values[field.name]))
  const { fault, keep } = useEditorValue(props, () => ({ value: files }))
  const change = (next: readonly FileBody[]) => {
    setFiles(next)
    keep(next)
  }
  return (
    <div
      className="cell-editor cell-editor-files"
      tabIndex={-1}
      ref={(place) => place?.querySelector<HTMLElement>('button, input')?.focus()}
    >
      <FilesInput
        field={field}
        value={files}
        onChange={change}
        label={field.label}
        error={fault}
        place={{ collection: collection.name, record: line.record.id }}
      />
    </div>
  )
}

export function CellEditorOf(props: CellEditorProps) {
  const { collection, field } = props
  switch (field.kind) {
    case 'text':
    case 'long-text':
    case 'number':
    case 'email':
    case 'url':
    case 'phone':
      return <TextEditor {...props} />
    case 'date':
    case 'date-time':
      return <DateEditor {...props} />
    case 'checkbox':
      return <CheckboxEditor {...props} />
    case 'select':
    case 'multi-select':
      return <OptionEditor {...props} field={field} />
    case 'state':
      return isSetByWorkflow(collection, field) ? (
        <StatusEditor {...props} field={field} />
      ) : (
        <OptionEditor {...props} field={field} />
      )
    case 'relation':
      return <RelationEditor {...props} field={field} />
    case 'user':
      return <PeopleEditor {...props} field={field} />
    case 'files':
      return <FilesEditor {...props} field={field} />
    case 'rich-text':
    case 'json':
    case 'auto-number':
      return <Nothing field={field} />
  }
}

/** Unreachable: these columns have no editor. */
const Nothing = (_props: { readonly field: Field }) => null
