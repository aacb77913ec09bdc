import { NativeSelect, TextInput } from '@mantine/core'
import type { Field } from '#domain/fields/field.ts'
import type { FilterLiteral } from '#domain/query/filter.ts'
import { t } from '#web/i18n/t.ts'
import {
  formKey,
  literalOfRelativeDate,
  type RelativeDateDraft,
  relativeDateDraft,
  relativeDateForms,
  withForm,
} from '#web/shared/conditions/model/relative-date-draft.ts'

type DateValueProps = {
  readonly field: Field<'date' | 'date-time'>
  readonly label: string
  readonly value: FilterLiteral | undefined
  readonly onValue: (value: FilterLiteral | undefined) => void
}

/** The farthest one counts from now, as the language has it. */
const MAX_OFFSET = 999_999

/** A day, or so many days from now. */
export function DateValue({ field, label, value, onValue }: DateValueProps) {
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
        data={[...relativeDateForms(field.kind)]}
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

/** What only text can say stays as it was written until it is emptied. */
function Written({ label, value, onValue }: Omit<DateValueProps, 'field'>) {
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
