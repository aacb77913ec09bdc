import type { CollectionBody } from '#api/collections.ts'
import type { Field } from '#domain/fields/field.ts'
import { rollupsIn } from '#domain/formulas/value-field.ts'
import { t } from '#web/i18n/t.ts'
import { listText } from '#web/i18n/locale.ts'

export type FieldBody = CollectionBody['fields'][number]

export type TypedCollection = Omit<CollectionBody, 'fields'> & { readonly fields: readonly Field[] }

export const typedCollection = (body: CollectionBody): TypedCollection => ({
  ...body,
  fields: body.fields.map(typedField),
})

/** The collection at an earlier time: nothing can be changed, and values of linked records aren't known. */
export const pastCollection = (collection: TypedCollection): TypedCollection => ({
  ...collection,
  fields: withoutLinkedValues(collection.fields),
  can: collection.can.filter((permission) => permission === 'records:read' || permission === 'records:export'),
})

/** Formulas of other fields are found by the names in them, because the formula language isn't loaded here. */
function withoutLinkedValues(fields: readonly Field[]): readonly Field[] {
  const unknown = new Set(fields.filter((field) => rollupsIn([field]).length > 0).map(({ name }) => name))
  const readsOne = (field: Field): boolean =>
    field.kind === 'formula' && (field.options.formula.match(/\w+/g) ?? []).some((word) => unknown.has(word))
  for (let before = -1; before < unknown.size; ) {
    before = unknown.size
    for (const field of fields) if (readsOne(field)) unknown.add(field.name)
  }
  return fields.filter(({ name }) => !unknown.has(name))
}

/** The server guarantees that options match the kind, but the response type can't express this. */
const typedField = (body: FieldBody): Field => body as unknown as Field

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

export const RECORD_FIELDS: readonly Field[] = [
  { ...about('createdAt', t('Created')), kind: 'date-time', options: {} },
  { ...about('updatedAt', t('Updated')), kind: 'date-time', options: {} },
  { ...about('createdBy', t('Created by'), false), kind: 'user', options: { many: false } },
  { ...about('updatedBy', t('Updated by'), false), kind: 'user', options: { many: false } },
]

type Values = { readonly [field: string]: unknown }

/** Undefined if there is no workflow that the user can see. */
function stateIdOf({ workflow, fields }: TypedCollection, values: Values): string | undefined {
  const field = fields.find(({ id }) => id === workflow?.field)
  if (field?.kind !== 'state') return undefined
  return field.options.choices.find(({ name }) => name === values[field.name])?.id
}

/** Never includes the status field itself. */
export function lockedFieldNames(collection: TypedCollection, values: Values): ReadonlySet<string> {
  const state = stateIdOf(collection, values)
  const frozen = state === undefined ? undefined : collection.workflow?.states[state]?.frozen
  if (frozen === undefined) return NONE
  const others = collection.fields.filter(({ id }) => id !== collection.workflow?.field)
  return new Set(others.filter(({ id }) => frozen === 'all' || frozen.includes(id)).map(({ name }) => name))
}

const NONE: ReadonlySet<string> = new Set()

export function describeLockedFields({ fields }: TypedCollection, frozen: ReadonlySet<string>, state: string): string {
  const labels = fields.filter(({ name }) => frozen.has(name)).map(({ label }) => label)
  // All fields except the status.
  if (labels.length === fields.length - 1)
    return t('While the status is “{state}”, this record can’t be edited.', { state })
  return t('While the status is “{state}”, {labels} can’t be edited.', { state, labels: listText(labels) })
}
