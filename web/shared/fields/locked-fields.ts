import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { listText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'

type Values = { readonly [field: string]: unknown }

/** The state a record is in, by its id; undefined where the collection has no workflow one may see. */
function stateIdOf({ workflow, fields }: TypedCollection, values: Values): string | undefined {
  const field = fields.find(({ id }) => id === workflow?.field)
  if (field?.kind !== 'state') return undefined
  return field.options.choices.find(({ name }) => name === values[field.name])?.id
}

/** Names of the fields that nobody changes while the record is where it is. The state itself is never among them. */
export function lockedFieldNames(collection: TypedCollection, values: Values): ReadonlySet<string> {
  const state = stateIdOf(collection, values)
  const frozen = state === undefined ? undefined : collection.workflow?.states[state]?.frozen
  if (frozen === undefined) return NONE
  const others = collection.fields.filter(({ id }) => id !== collection.workflow?.field)
  return new Set(others.filter(({ id }) => frozen === 'all' || frozen.includes(id)).map(({ name }) => name))
}

const NONE: ReadonlySet<string> = new Set()

/** Says what nobody changes while the record is in a state. */
export function describeLockedFields({ fields }: TypedCollection, frozen: ReadonlySet<string>, state: string): string {
  const labels = fields.filter(({ name }) => frozen.has(name)).map(({ label }) => label)
  // All but the state itself.
  if (labels.length === fields.length - 1)
    return t('While the status is “{state}”, this record can’t be edited.', { state })
  return t('While the status is “{state}”, {labels} can’t be edited.', { state, labels: listText(labels) })
}
