import { NativeSelect, TextInput } from '@mantine/core'
import { type Field, hasSelectOptions, shapeOf, type FieldShape } from '#domain/fields/field.ts'
import type { FilterLiteral, Operator } from '#domain/query/filter/filter.ts'
import { OPERATOR_RULES, readsText } from '#domain/query/filter/operators.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { useDebouncedText } from '#web/ui/grid/header/debounced-inputs.tsx'
import { TagsInput } from '#web/ui/dropdown/tags-input.tsx'
import { readLocalNumber, typedNumber } from '#web/shared/formatting/local-format.ts'
import { t } from '#web/i18n/t.ts'
import { type ConditionDraft, momentShape } from '#web/shared/conditions/model/condition-tree.ts'
import { useConditionOptions } from '#web/shared/conditions/condition-options.ts'
import { PeopleValue, PersonValue, RecordsValue, RecordValue } from './lookup-value.tsx'
import '../builder/conditions.css'
import {
  formKey,
  literalOfRelativeDate,
  type RelativeDateDraft,
  relativeDateDraft,
  relativeDateForms,
  withForm,
} from '#web/shared/conditions/model/relative-dates.ts'

type DateValueProps = {
  readonly field: Field
  readonly shape: 'date' | 'date-time'
  readonly label: string
  readonly value: FilterLiteral | undefined
  readonly onValue: (value: FilterLiteral | undefined) => void
}

/** The filter language's limit. */
const MAX_OFFSET = 999_999

function DateValue({ field, shape, label, value, onValue }: DateValueProps) {
  const draft = relativeDateDraft(value)
  if (draft === undefined) return <Written label={label} value={value} onValue={onValue} />
  const say = (next: RelativeDateDraft) => onValue(literalOfRelativeDate(next))
  return (
    <span className="condition-moment">
      {'count' in draft && (
        <TextInput
          className="condition-count"
          size="xs"
          type="number"
          min={0}
          max={MAX_OFFSET}
          aria-label={t('{label}: amount', { label: field.label })}
          value={String(draft.count)}
          onChange={({ currentTarget }) => say({ ...draft, count: countIn(currentTarget.value) })}
        />
      )}
      <NativeSelect
        size="xs"
        aria-label={t('{label}: day', { label })}
        value={formKey(draft)}
        data={[...relativeDateForms(shape)]}
        onChange={({ currentTarget }) => say(withForm(draft, currentTarget.value))}
      />
      {draft.form === 'day' && (
        <TextInput
          size="xs"
          type={/^\d{4}-\d\d-\d\dT/.test(draft.text) ? 'text' : 'date'}
          aria-label={label}
          value={draft.text}
          onChange={({ currentTarget }) => say({ form: 'day', text: currentTarget.value })}
        />
      )}
    </span>
  )
}

const countIn = (typed: string): number => Math.min(MAX_OFFSET, Math.max(0, Math.trunc(Number(typed) || 0)))

/** A text input for a date that the form can't represent, shown until the date is cleared. */
function Written({ label, value, onValue }: Omit<DateValueProps, 'field' | 'shape'>) {
  const text = typeof value === 'object' ? value.marker : String(value ?? '')
  return (
    <TextInput
      size="xs"
      aria-label={label}
      value={text}
      onChange={({ currentTarget: { value: typed } }) =>
        onValue(typed === '' ? undefined : typed.startsWith('@') ? { marker: typed } : typed)
      }
    />
  )
}

type ConditionValueProps = {
  readonly field: Field
  readonly draft: ConditionDraft
  readonly onValues: (values: ConditionDraft['values']) => void
}

export function ConditionValue({ field, draft, onValues }: ConditionValueProps) {
  const { takes } = OPERATOR_RULES[draft.op]
  const [first, second] = draft.values
  switch (takes) {
    case 'nothing':
      return null
    case 'list':
      if (field.kind === 'user')
        return (
          <PeopleValue
            label={t('People for {label}', { label: field.label })}
            values={draft.values}
            onValues={onValues}
          />
        )
      if (field.kind === 'relation' || field.kind === 'reverse')
        return (
          <RecordsValue
            field={field}
            label={t('Records for {label}', { label: field.label })}
            values={draft.values}
            onValues={onValues}
          />
        )
      if (!hasSelectOptions(field)) return <TypedList field={field} values={draft.values} onValues={onValues} />
      return <OptionSelect field={field} values={draft.values} onValues={onValues} />
    case 'one':
      return (
        <OneValue
          field={field}
          op={draft.op}
          label={t('Value for {label}', { label: field.label })}
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
            label={t('{label}: from', { label: field.label })}
            value={first}
            onValue={(value) => onValues([value, second])}
          />
          <span>{t('and')}</span>
          <OneValue
            field={field}
            op={draft.op}
            label={t('{label}: to', { label: field.label })}
            value={second}
            onValue={(value) => onValues([first, value])}
          />
        </span>
      )
  }
}

type OneValueProps = {
  readonly field: Field
  readonly op: Operator
  readonly label: string
  readonly value: FilterLiteral | undefined
  readonly onValue: (value: FilterLiteral | undefined) => void
}

const YES_NO = [
  { value: 'true', label: t('Yes') },
  { value: 'false', label: t('No') },
]

const optionsOf = (field: Field) =>
  hasSelectOptions(field)
    ? field.options.choices.map(({ name, color }) => ({ value: name, label: name, hue: color }))
    : []

function OneValue(props: OneValueProps) {
  const { ownNotes, isOfGrant } = useConditionOptions()
  const { field, op, value, onValue } = props
  // In a grant, `!=` with a missing attribute would match every record.
  const isEquating = EQUATES.includes(op) && !(isOfGrant && op === '!=')
  const canBeOwn = isEquating && HOLDS_TEXT.includes(shapeOf(field)) && ownNotes.length > 0
  const own = typeof value === 'object' && /^@me\.\w+$/.test(value.marker) ? value.marker : null
  if (!canBeOwn && own === null) return <GivenValue {...props} />
  const isNoted = ownNotes.some((note) => `@me.${note.name}` === own)
  return (
    <span className="condition-own">
      <NativeSelect
        size="xs"
        aria-label={t('{label}: compare with', { label: field.label })}
        value={own ?? ''}
        data={[
          { value: '', label: t('this value') },
          ...ownNotes.map((note) => ({ value: `@me.${note.name}`, label: note.label })),
          ...(own === null || isNoted ? [] : [{ value: own, label: own }]),
        ]}
        onChange={({ currentTarget }) =>
          onValue(currentTarget.value === '' ? undefined : { marker: currentTarget.value })
        }
      />
      {own === null && <GivenValue {...props} />}
    </span>
  )
}

/** Operators that support attributes. */
const EQUATES: readonly Operator[] = ['=', '!=']

const HOLDS_TEXT: readonly FieldShape[] = ['text', 'option']

function GivenValue({ field, op, label, value, onValue }: OneValueProps) {
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
  if (readsText(op)) return <TypedValue field={field} op={op} label={label} value={value} onValue={onValue} />
  if (hasSelectOptions(field)) {
    const shown = typeof value === 'string' ? value : null
    return (
      <Dropdown
        size="xs"
        ariaLabel={label}
        required
        options={optionsOf(field)}
        value={shown}
        onChange={(next) => onValue(next ?? undefined)}
        placeholder={t('Select…')}
      />
    )
  }
  if (field.kind === 'relation' || field.kind === 'reverse')
    return <RecordValue field={field} label={label} value={value} onValue={onValue} />
  if (field.kind === 'user') return <PersonValue label={label} value={value} onValue={onValue} />
  const shape = momentShape(field)
  if (shape) return <DateValue field={field} shape={shape} label={label} value={value} onValue={onValue} />
  return <TypedValue field={field} op={op} label={label} value={value} onValue={onValue} />
}

type OptionSelectProps = Pick<ConditionValueProps, 'field' | 'onValues'> & { readonly values: ConditionDraft['values'] }

function OptionSelect({ field, values, onValues }: OptionSelectProps) {
  const chosen = values.filter((value) => typeof value === 'string')
  return (
    <Dropdown
      size="xs"
      multiple
      ariaLabel={t('Values for {label}', { label: field.label })}
      options={optionsOf(field)}
      value={chosen}
      onChange={(next) => onValues([...values.filter((value) => typeof value === 'object'), ...next])}
      placeholder={chosen.length === 0 ? t('Select…') : ''}
    />
  )
}

type TypedListProps = Pick<ConditionValueProps, 'field' | 'onValues'> & { readonly values: ConditionDraft['values'] }

/** A list of typed values; Enter or a comma adds a value. */
function TypedList({ field, values, onValues }: TypedListProps) {
  const read = listReaderOf(field)
  return (
    <TagsInput
      size="xs"
      aria-label={t('Values for {label}', { label: field.label })}
      placeholder={values.length === 0 ? t('Type a value and press Enter') : ''}
      splitChars={[',', ';']}
      acceptValueOnBlur
      value={values.map(textOf)}
      onChange={(texts) => onValues(texts.flatMap((text) => read(text.trim()) ?? []))}
    />
  )
}

/** Returns undefined for invalid values, which aren't added. */
function listReaderOf(field: Field): (text: string) => FilterLiteral | undefined {
  if (!momentShape(field)) return readerOf(field)
  return (text) => (text.startsWith('@') ? { marker: text } : /^\d{4}-\d\d-\d\d/.test(text) ? text : undefined)
}

function readerOf(field: Field): (text: string) => FilterLiteral | undefined {
  return isNumber(field) ? readLocalNumber : (text) => (text === '' ? undefined : text)
}

const isNumber = (field: Field): boolean => shapeOf(field) === 'number'

const textOf = (value: FilterLiteral | undefined): string => {
  if (value === undefined) return ''
  if (typeof value === 'number') return typedNumber(value)
  return typeof value === 'object' ? value.marker : String(value)
}

function TypedValue({ field, label, value, onValue }: OneValueProps) {
  const read = readerOf(field)
  const { countsAtOnce } = useConditionOptions()
  const { text, onType, applyNow, onKeyDown } = useDebouncedText(textOf(value), (typed) => onValue(read(typed)))
  const isWrong = isNumber(field) && text !== '' && readLocalNumber(text) === undefined
  return (
    <TextInput
      size="xs"
      aria-label={label}
      value={text}
      error={isWrong ? t('Not a number') : undefined}
      inputMode={isNumber(field) ? 'decimal' : undefined}
      placeholder={t('Value')}
      onChange={({ currentTarget }) => (countsAtOnce ? applyNow : onType)(currentTarget.value)}
      onKeyDown={countsAtOnce ? undefined : onKeyDown}
    />
  )
}
