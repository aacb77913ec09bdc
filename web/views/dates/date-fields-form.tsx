import type { FunctionComponent } from 'react'
import {
  type CalendarOptions,
  type DateFields,
  dateKindOf,
  type TimelineOptions,
} from '#domain/views/dates/date-fields.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import type { ViewOptionsFormProps } from '../view-kind.ts'

type DateFieldsFormProps = {
  readonly collection: TypedCollection
  readonly fields: DateFields
  readonly onChange: (fields: DateFields) => void
}

/** Chooses the fields that place records in time. */
function DateFieldsForm({ collection, fields: { start, end }, onChange }: DateFieldsFormProps) {
  const dated = collection.fields.filter((field) => dateKindOf(field) !== undefined)
  const kindOf = (id: string | null) => dated.find((field) => field.id === id)?.kind
  const kind = dated.find((field) => field.id === start)
  const ends = dated.filter(
    (field) => field.id !== start && kind !== undefined && dateKindOf(field) === dateKindOf(kind),
  )
  const options = (of: typeof dated) => of.map(({ id, label }) => ({ value: id, label }))
  return (
    <>
      <WithHelp setting="dates-start">
        <Select
          size="xs"
          label={t('Start date')}
          placeholder={t('Choose a date field')}
          allowDeselect={false}
          data={options(dated)}
          value={kindOf(start) === undefined ? null : start}
          onChange={(next) => {
            const isSameKind = kindOf(next) === kindOf(start)
            onChange({ start: next, end: isSameKind && next !== end ? end : null })
          }}
        />
      </WithHelp>
      {ends.length > 0 && (
        <WithHelp setting="dates-end">
          <Select
            size="xs"
            label={t('End date')}
            placeholder={t('No end: one day per record')}
            clearable
            data={options(ends)}
            value={ends.some(({ id }) => id === end) ? end : null}
            onChange={(next) => onChange({ start, end: next })}
          />
        </WithHelp>
      )}
    </>
  )
}

/** Shown instead of the records until a date field is chosen. */
export function NoDateField(props: DateFieldsFormProps) {
  const { collection, fields } = props
  const hasAny = collection.fields.some((field) => dateKindOf(field) !== undefined)
  return (
    <div className="dates-none">
      <p>
        {hasAny
          ? fields.start === null
            ? t('Choose the date field that places records in time.')
            : t('The date field of this view isn’t available. Choose another one.')
          : t('{label} has no date field. Add one to see records here.', { label: collection.label })}
      </p>
      {hasAny && <DateFieldsForm {...props} />}
    </div>
  )
}

/** The period or the zoom is chosen above the records. */
function DateOptionsForm<Options extends DateFields>({ collection, options, onChange }: ViewOptionsFormProps<Options>) {
  return (
    <DateFieldsForm
      collection={collection}
      fields={options}
      onChange={(fields) => onChange({ ...options, ...fields })}
    />
  )
}

export const CalendarOptionsForm: FunctionComponent<ViewOptionsFormProps<CalendarOptions>> = DateOptionsForm
export const TimelineOptionsForm: FunctionComponent<ViewOptionsFormProps<TimelineOptions>> = DateOptionsForm
