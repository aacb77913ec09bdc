import type { Field } from '#domain/fields/field.ts'
import { isEmptyValue, startingValue } from '#domain/fields/kinds.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { namedBy } from './rule-breaches.ts'

/** The fields that are asked for before a record is made, and what rules said that refused one without them. */
export type AskedFirst = { readonly fields: readonly Field[]; readonly reasons: readonly string[] }

const isMissing = (field: Field): boolean =>
  field.required && isEmptyValue(startingValue(field)) && field.kind !== 'auto-number'

/** What must be filled in before a record can exist at all, and what rules wanted the last time. */
export const missingFields = ({ fields }: KnownCollection, before: AskedFirst): AskedFirst => ({
  fields: [...fields.filter(isMissing), ...before.fields.filter((field) => !isMissing(field))],
  reasons: before.reasons,
})

/** What is asked for because rules refused an empty record: the fields they name that people fill in. */
export function ruledBy({ rules = [], fields }: KnownCollection, error: unknown): AskedFirst {
  const failure = asCallFailed(error)
  if (failure?.code !== 'rule-broken') return { fields: [], reasons: [] }
  const broken = rules.filter(({ message }) => failure.errors.some((part) => part.message === message))
  const named = broken.flatMap(namedBy)
  return {
    fields: fields.filter(({ name, kind }) => named.includes(name) && kind !== 'auto-number' && kind !== 'files'),
    reasons: broken.map(({ message }) => message),
  }
}
