import type { Collection } from './collection.ts'
import type { Field } from '../fields/field.ts'

/** Without the reverse sides of relations that don't exist: they reappear when the relation is restored. */
export function withLiveReverseSides(collections: readonly Collection[]): readonly Collection[] {
  const byId = new Map(collections.map((collection) => [collection.id, collection]))
  const isLive = (field: Field, { id }: Collection): boolean => {
    if (field.kind !== 'reverse') return true
    const source = byId.get(field.options.collection)
    return source !== undefined && relationOf(field, source)?.options.collection === id
  }
  return collections.map((collection) => {
    const fields = collection.fields.filter((field) => isLive(field, collection))
    return fields.length === collection.fields.length ? collection : { ...collection, fields }
  })
}

type WithFields = { readonly fields: readonly Field[] }

/** The relation that a reverse side shows; undefined if it was deleted or changed to another type. */
export function relationOf({ options }: Field<'reverse'>, { fields }: WithFields): Field<'relation'> | undefined {
  const found = fields.find(({ id }) => id === options.relation)
  return found?.kind === 'relation' ? found : undefined
}
