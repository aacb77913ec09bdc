import { Textarea } from '@mantine/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { MAX_FORMULA_LENGTH } from '#domain/formulas/formula-limits.ts'
import { callAt, type FormulaSuggestion, suggestionsAt } from '#domain/formulas/suggestions.ts'
import type { FormulaFault } from '#domain/formulas/typing.ts'
import { t } from '#web/i18n/t.ts'
import type { SettingName } from '#web/shared/setting-help/settings.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import './formula.css'

type FormulaEditorProps = {
  readonly label: string
  readonly setting: SettingName
  readonly isRequired?: boolean
  readonly value: string
  readonly onChange: (formula: string) => void
  /** Why the server rejected the formula. */
  readonly error: string | undefined
  readonly fault: FormulaFault | undefined
  readonly fields: readonly Field[]
  /** The fields of linked records at the end of a path; absent where formulas can't follow links. */
  readonly linkedFields?: (path: readonly string[]) => readonly Field[]
  /** Shown while there is no error. */
  readonly children?: ReactNode
}

/** Shows the first error at its place, and suggestions for the word at the cursor. */
export function FormulaEditor(props: FormulaEditorProps) {
  const { label, setting, isRequired = false, value, onChange, error, fault, fields, linkedFields, children } = props
  const input = useRef<HTMLTextAreaElement>(null)
  const [cursor, setCursor] = useState(0)
  const id = useId()
  const follow = () => setCursor(input.current?.selectionStart ?? 0)
  const type = (formula: string) => {
    onChange(formula)
    follow()
  }
  const take = ({ text, from, to }: FormulaSuggestion) => {
    input.current?.focus()
    input.current?.setRangeText(text, from, to, 'end')
    type(input.current?.value ?? value)
  }
  return (
    <div className="formula-editor">
      <WithHelp setting={setting} isDescribed>
        <Textarea
          ref={input}
          label={label}
          description={t('For example price * quantity. Refer to fields by their API names.')}
          required={isRequired}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={MAX_FORMULA_LENGTH}
          spellCheck={false}
          autoCapitalize="off"
          className="code-input"
          value={value}
          error={error}
          aria-describedby={`${id}-status`}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onSelect={follow}
        />
      </WithHelp>
      <Suggestions all={suggestionsAt(value, cursor, fields, linkedFields)} onTake={take} />
      <CallHelp text={value} cursor={cursor} />
      <div id={`${id}-status`} role="status" className="formula-status">
        {fault ? <FormulaError text={value} fault={fault} /> : children}
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
