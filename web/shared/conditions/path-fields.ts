import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { MAX_PATH_RELATIONS } from '#domain/query/query-limits.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { t } from '#web/i18n/t.ts'
import { RECORD_FIELDS, type TypedCollection } from '#web/shared/fields/typed-collection.ts'

/** Fields that a condition may name, under one heading: a collection's own, or those behind one of its relations. */
export type PathGroup = { readonly label: string; readonly fields: readonly Field[] }

/** Finds a collection by its id, if whoever builds the condition may see it. */
export type FindCollection = (id: CollectionId) => TypedCollection | undefined

/**
 * What conditions on a collection may name: its own fields, what every record has, and what stands one relation further;
 * beyond that, what stands behind the relations on the given paths. Names and labels are those of the whole path, so that
 * one field stands for it.
 */
export function pathGroups(
  collection: TypedCollection,
  find: FindCollection,
  paths: readonly string[] = [],
): readonly PathGroup[] {
  const near = collection.fields.flatMap((field) => groupAfter(field, find))
  const far = new Map<string, PathGroup>()
  for (const prefix of paths.flatMap(prefixesOf)) {
    const relation = fieldAt([...near, ...far.values()], prefix)
    const [group] = relation ? groupAfter(relation, find) : []
    if (group) far.set(prefix, group)
  }
  return [
    { label: collection.label, fields: collection.fields },
    { label: t('System fields'), fields: RECORD_FIELDS },
    ...near,
    ...far.values(),
  ]
}

/** The fields behind a relation, if there are any for whoever asks. */
function groupAfter(relation: Field, find: FindCollection): readonly PathGroup[] {
  const there = relation.kind === 'relation' ? find(relation.options.collection) : undefined
  if (!there || relation.name.split('.').length > MAX_PATH_RELATIONS) return []
  const fields = [...there.fields, ...RECORD_FIELDS].map((field) => through(relation, field))
  return [{ label: t('Fields of {label}', { label: relation.label }), fields }]
}

/** What a path leads over behind its first relation, the shortest first: `a.b` and `a.b.c`. */
function prefixesOf(path: string): readonly string[] {
  const names = path.split('.')
  return names.slice(1).map((_, at) => names.slice(0, at + 2).join('.'))
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
export const definitionOf = ({ id, name, label, fields, titleField, version }: TypedCollection): Collection => ({
  id,
  name,
  label,
  fields,
  titleField: fields.find((field) => field.name === titleField)?.id ?? null,
  version,
})
