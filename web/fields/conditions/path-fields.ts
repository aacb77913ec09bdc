import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { KnownCollection } from '../known-field.ts'
import { RECORD_FIELDS } from '../record-fields.ts'

/** Fields that a condition may name, under one heading: a collection's own, or those behind one of its relations. */
export type PathGroup = { readonly label: string; readonly fields: readonly Field[] }

/** Finds a collection by its id, if whoever builds the condition may see it. */
export type FindCollection = (id: CollectionId) => KnownCollection | undefined

/**
 * What conditions on a collection may name: its own fields, what every record has, and what stands one relation further.
 * Names and labels are those of the whole path, so that one field stands for it.
 */
export function pathGroups(collection: KnownCollection, find: FindCollection): readonly PathGroup[] {
  const behind = collection.fields.flatMap((relation): readonly PathGroup[] => {
    if (relation.kind !== 'relation') return []
    const there = find(relation.options.collection)
    return there
      ? [{ label: `Of ${relation.label}`, fields: there.fields.map((field) => through(relation, field)) }]
      : []
  })
  return [
    { label: collection.label, fields: collection.fields },
    { label: 'Every record', fields: RECORD_FIELDS },
    ...behind.filter(({ fields }) => fields.length > 0),
  ]
}

/** A field behind a relation. */
const through = (relation: Field, field: Field): Field => ({
  ...field,
  id: `${relation.id}.${field.id}`,
  name: `${relation.name}.${field.name}`,
  label: `${relation.label} › ${field.label}`,
})

/** The field a line speaks of. */
export const fieldAt = (groups: readonly PathGroup[], path: string): Field | undefined =>
  groups.flatMap(({ fields }) => fields).find(({ name, id }) => name === path || id === path)

/** A collection as the checks of the domain take it: its title by id. */
export const definitionOf = ({ id, name, label, fields, titleField, version }: KnownCollection): Collection => ({
  id,
  name,
  label,
  fields,
  titleField: fields.find((field) => field.name === titleField)?.id ?? null,
  version,
})
