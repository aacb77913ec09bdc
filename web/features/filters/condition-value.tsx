import { TextInput } from '@mantine/core'
import { type Field, hasChoices } from '#domain/fields/field.ts'
import type { FilterLiteral, Operator } from '#domain/query/filter.ts'
import { OPERATOR_RULES } from '#domain/query/operators.ts'
import { Dropdown } from '#web/kit/dropdown/dropdown.tsx'
import { useDelayedText } from '#web/kit/grid/use-delayed-text.ts'
import type { ConditionDraft } from './condition-draft.ts'
import { PeopleValue, PersonValue } from './person-value.tsx'

type ConditionValueProps = {
  readonly field: Field
  readonly draft: ConditionDraft
  readonly onValues: (values: ConditionDraft['values']) => void
}

/** What stands to the right of an operator, in the form the field's kind asks for. */
export function ConditionValue({ field, draft, onValues }: ConditionValueProps) {
  const { takes } = OPERATOR_RULES[draft.op]
  const [first, second] = draft.values
  switch (takes) {
    case 'nothing':
      return null
    case 'list':
      if (field.kind === 'user')
        return <PeopleValue label={`People for ${field.label}`} values={draft.values} onValues={onValues} />
      return <ChoiceList field={field} values={draft.values} onValues={onValues} />
    case 'one':
      return (
        <OneValue
          field={field}
          op={draft.op}
          label={`Value for ${field.label}`}
          value={first}
          onValue={(value) => onValues([value])}
        />
      )
    case 'pair':
      return (
        <span className="condition-pair">
          <OneValue
            field={field}
            op={draft.op}
            label={`From, for ${field.label}`}
            value={first}
            onValue={(value) => onValues([value, second])}
          />
          <span>and</span>
          <OneValue
            field={field}
            op={draft.op}
            label={`To, for ${field.label}`}
            value={second}
            onValue={(value) => onValues([first, value])}
          />
        </span>
      )
  }
}

/** People are compared by who they are, or their names are read. */
const OPERATOR_READS_NAMES: readonly Operator[] = ['~', '!~', '^=', '$=']

type OneValueProps = {
  readonly field: Field
  readonly op: Operator
  readonly label: string
  readonly value: FilterLiteral | undefined
  readonly onValue: (value: FilterLiteral | undefined) => void
}

const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

const choicesOf = (field: Field) =>
  hasChoices(field) ? field.options.choices.map(({ name, color }) => ({ value: name, label: name, hue: color })) : []

function OneValue({ field, op, label, value, onValue }: OneValueProps) {
  if (field.kind === 'checkbox') {
    const shown = typeof value === 'boolean' ? String(value) : null
    return (
      <Dropdown
        size="xs"
        ariaLabel={label}
        required
        options={YES_NO}
        value={shown}
        onChange={(next) => onValue(next === null ? undefined : next === 'true')}
      />
    )
  }
  if (hasChoices(field)) {
    const shown = typeof value === 'string' ? value : null
    return (
      <Dropdown
        size="xs"
        ariaLabel={label}
        required
        options={choicesOf(field)}
        value={shown}
        onChange={(next) => onValue(next ?? undefined)}
        placeholder="Choose"
      />
    )
  }
  if (field.kind === 'user' && !OPERATOR_READS_NAMES.includes(op))
    return <PersonValue label={label} value={value} onValue={onValue} />
  return <TypedValue field={field} op={op} label={label} value={value} onValue={onValue} />
}

type ChoiceListProps = Pick<ConditionValueProps, 'field' | 'onValues'> & { readonly values: ConditionDraft['values'] }

function ChoiceList({ field, values, onValues }: ChoiceListProps) {
  const chosen = values.filter((value) => typeof value === 'string')
  return (
    <Dropdown
      size="xs"
      multiple
      ariaLabel={`Values for ${field.label}`}
      options={choicesOf(field)}
      value={chosen}
      onChange={onValues}
      placeholder="Choose"
    />
  )
}

/** How a value is typed, and read from what was typed. */
function formOf(field: Field): {
  readonly type: 'text' | 'date'
  readonly read: (text: string) => FilterLiteral | undefined
} {
  if (field.kind === 'date' || field.kind === 'date-time')
    return { type: 'date', read: (text) => (text === '' ? undefined : text) }
  if (isNumber(field)) return { type: 'text', read: readNumber }
  return { type: 'text', read: (text) => (text === '' ? undefined : text) }
}

const isNumber = ({ kind }: Field): boolean => kind === 'number' || kind === 'auto-number'

function readNumber(text: string): number | undefined {
  const number = Number(text.replaceAll(',', ''))
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number
}

const textOf = (value: FilterLiteral | undefined): string => {
  if (value === undefined) return ''
  return typeof value === 'object' ? value.marker : String(value)
}

function TypedValue({ field, label, value, onValue }: OneValueProps) {
  const { type, read } = formOf(field)
  // A moment such as @today-7d cannot stand in the browser's own date field.
  const shownType = typeof value === 'object' ? 'text' : type
  const { text, onType, onKeyDown } = useDelayedText(textOf(value), (typed) => onValue(read(typed)))
  const isWrong = isNumber(field) && text !== '' && readNumber(text) === undefined
  return (
    <TextInput
      size="xs"
      type={shownType}
      aria-label={label}
      value={text}
      error={isWrong ? 'Not a number' : undefined}
      inputMode={isNumber(field) ? 'decimal' : undefined}
      placeholder={shownType === 'text' ? 'Value' : undefined}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
