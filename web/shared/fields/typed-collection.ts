import type { CollectionBody } from '#api/collections.ts'
import type { Field } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'
import { listText } from '#web/i18n/locale.ts'

/** A field as the API tells it. */
export type FieldBody = CollectionBody['fields'][number]

/** A collection whose fields know their kinds. */
export type TypedCollection = Omit<CollectionBody, 'fields'> & { readonly fields: readonly Field[] }

/** The fields of a collection by their kinds. */
export const typedCollection = (body: CollectionBody): TypedCollection => ({
  ...body,
  fields: body.fields.map(typedField),
})

/** A field by its kind: which options belong to which kind is the server's promise, which its schema cannot spell. */
const typedField = (body: FieldBody): Field => body as unknown as Field

/** The field that names the collection's records. */
export const titleFieldOf = (collection: TypedCollection): Field | undefined =>
  collection.fields.find((field) => field.name === collection.titleField)

const about = (name: string, label: string, required = true) => ({
  id: name,
  name,
  label,
  required,
  unique: false,
  default: null,
})

/** When a record was made and last changed, and by whom: every record has these beside its collection's own fields. */
export const RECORD_FIELDS: readonly Field[] = [
  { ...about('createdAt', t('Created')), kind: 'date-time', options: {} },
  { ...about('updatedAt', t('Updated')), kind: 'date-time', options: {} },
  { ...about('createdBy', t('Created by'), false), kind: 'user', options: { many: false } },
  { ...about('updatedBy', t('Updated by'), false), kind: 'user', options: { many: false } },
]

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
