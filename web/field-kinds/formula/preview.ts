import { queryOptions } from '@tanstack/react-query'
import { listRecords, type RecordListItem } from '#api/records.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import type { FormulaCalendar } from '#domain/formulas/expression.ts'
import { valuesWithFormulas } from '#domain/formulas/formula-values.ts'
import { readTimeZone } from '#api/workspace.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'

export type PreviewRecord = { readonly record: RecordListItem; readonly calendar: FormulaCalendar }

/** The first record of a collection and the calendar by which formulas are evaluated; null if there is no record. */
export const previewQuery = ({ name }: TypedCollection) =>
  queryOptions({
    queryKey: queryKeys.recordList(name, { preview: 'formula' }),
    queryFn: async ({ signal }): Promise<PreviewRecord | null> => {
      const query = { perPage: 1, count: 'none', choices: 'id' } as const
      const [{ items }, { timeZone }] = await Promise.all([
        call(listRecords, { params: { collection: name }, query, signal }),
        call(readTimeZone, { signal }),
      ])
      const [record] = items
      return record ? { record, calendar: { now: new Date(), timeZone } } : null
    },
  })

/** The value of a formula in a record, with options by ID as they are stored. */
export function previewValue(
  { fields }: TypedCollection,
  field: Field<'formula'>,
  { record, calendar }: PreviewRecord,
): FieldValue {
  const all = [...fields.filter(({ id }) => id !== field.id), field]
  // Formulas read only values that the API returns as they are stored.
  const values = Object.fromEntries(fields.map(({ id, name }) => [id, record.values[name] as FieldValue]))
  return valuesWithFormulas({ fields: all }, [field], { ...record, values }, calendar)[field.id] ?? null
}
