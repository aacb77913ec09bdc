import { Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { checkFormulaField } from '#domain/formulas/formula-fields.ts'
import { resultField } from '#domain/formulas/value-field.ts'
import { MAX_FORMULA_LENGTH } from '#domain/formulas/formula-limits.ts'
import { callAt, type FormulaSuggestion, suggestionsAt } from '#domain/formulas/suggestions.ts'
import type { FieldPlace, OptionsProps } from '#web/field-kinds/field-kind.ts'
import { t } from '#web/i18n/t.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { formulaText } from './formula-text.ts'
import { previewQuery, previewValue } from './preview.ts'
import './formula.css'

type EditorProps = OptionsProps<'formula'> & { readonly place: FieldPlace }

/** A field with this formula, as it would be stored. */
function fieldWith({ collection, field }: FieldPlace, options: Field<'formula'>['options']): Field<'formula'> {
  const stored = collection.fields.find(({ id }) => id === field)
  const { name, label } = stored ?? { name: field, label: t('This field') }
  return { id: field, name, label, kind: 'formula', required: false, unique: false, default: null, options }
}

export function FormulaOptionsForm(props: OptionsProps<'formula'>) {
  const { place, isStored } = props
  if (place === undefined) return null
  const stored = place.collection.fields.find(({ id }) => id === place.field)
  const isHidden = isStored && stored?.kind === 'formula' && stored.options.formula === ''
  return isHidden ? (
    <p>{t('You can’t see this formula, because it uses fields you can’t read.')}</p>
  ) : (
    <FormulaEditor {...props} place={place} />
  )
}

/** Shows the first error at its place, suggestions for the word at the cursor, and the value in a record. */
function FormulaEditor({ options, onChange, errorAt, place }: EditorProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  const [cursor, setCursor] = useState(0)
  const id = useId()
  const siblings = place.collection.fields.filter((each) => each.id !== place.field)
  const field = fieldWith(place, options)
  const checked = checkFormulaField(options.formula, field, siblings, () => true)
  const fault = checked.ok || options.formula.trim() === '' ? undefined : checked.fault
  const follow = () => setCursor(input.current?.selectionStart ?? 0)
  const type = (formula: string) => {
    const next = checkFormulaField(formula, field, siblings, () => true)
    onChange({ formula, result: next.ok ? next.value.result : options.result })
    follow()
  }
  const take = ({ text, from, to }: FormulaSuggestion) => {
    input.current?.focus()
    input.current?.setRangeText(text, from, to, 'end')
    type(input.current?.value ?? options.formula)
  }
  return (
    <div className="formula-editor">
      <WithHelp setting="field-formula" isDescribed>
        <Textarea
          ref={input}
          label={t('Formula')}
          description={t('For example price * quantity. Refer to fields by their API names.')}
          required
          autosize
          minRows={2}
          maxRows={10}
          maxLength={MAX_FORMULA_LENGTH}
          spellCheck={false}
          autoCapitalize="off"
          className="code-input"
          value={options.formula}
          error={errorAt('options.formula')}
          aria-describedby={`${id}-status`}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onSelect={follow}
        />
      </WithHelp>
      <Suggestions all={suggestionsAt(options.formula, cursor, siblings)} onTake={take} />
      <CallHelp text={options.formula} cursor={cursor} />
      <div id={`${id}-status`} role="status" className="formula-status">
        {fault && <FormulaError text={options.formula} fault={fault} />}
        {checked.ok && <Preview place={place} field={{ ...field, options: checked.value }} />}
      </div>
    </div>
  )
}

type SuggestionsProps = {
  readonly all: readonly FormulaSuggestion[]
  readonly onTake: (suggestion: FormulaSuggestion) => void
}

function Suggestions({ all, onTake }: SuggestionsProps) {
  if (all.length === 0) return null
  return (
    <ul className="formula-suggestions" aria-label={t('Suggestions')}>
      {all.map((each) => (
        <li key={each.text}>
          <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => onTake(each)}>
            <code>{each.is === 'field' ? each.text : each.label}</code>
            {each.is === 'field' && <span>{each.label}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The signature of the function at the cursor. */
function CallHelp({ text, cursor }: { readonly text: string; readonly cursor: number }) {
  const call = callAt(text, cursor)
  return (
    call && (
      <p className="formula-help">
        <code>{call.signature}</code> {call.help}
      </p>
    )
  )
}

type FormulaErrorProps = {
  readonly text: string
  readonly fault: { readonly message: string; readonly position: number; readonly end: number }
}

/** Repeats the formula with the wrong part marked. */
function FormulaError({ text, fault: { message, position, end } }: FormulaErrorProps) {
  return (
    <div className="formula-error">
      <code>
        {text.slice(0, position)}
        <mark>{text.slice(position, end) || ' '}</mark>
        {text.slice(end)}
      </code>
      <p>{message}</p>
    </div>
  )
}

function Preview({ place, field }: { readonly place: FieldPlace; readonly field: Field<'formula'> }) {
  const { data } = useQuery(previewQuery(place.collection))
  const { label } = KIND_TRAITS[resultField(field).kind]
  if (!data) return <p>{t('Result: {type}', { type: label })}</p>
  const value = previewValue(place.collection, field, data)
  const text = formulaText(field, value)
  return (
    <p>
      {t('Result: {type}', { type: label })}
      {' · '}
      {t('In the first record: {value}', { value: text === '' ? t('empty') : text })}
    </p>
  )
}
