import type { Collection } from '#domain/collections/collection.ts'
import { type Field, linkedCollection } from '#domain/fields/field.ts'
import { MAX_PATH_RELATIONS } from '#domain/query/query-limits.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { t } from '#web/i18n/t.ts'
import { RECORD_FIELDS, type TypedCollection } from '#web/shared/fields/typed-collection.ts'

export type PathGroup = { readonly label: string; readonly fields: readonly Field[] }

/** Undefined if the user can't see the collection. */
export type FindCollection = (id: CollectionId) => TypedCollection | undefined

/** The collection's own fields, system fields and related fields. Names and labels contain the full path. */
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

function groupAfter(relation: Field, find: FindCollection): readonly PathGroup[] {
  const linked = linkedCollection(relation)
  const there = linked === undefined ? undefined : find(linked)
  if (!there || relation.name.split('.').length > MAX_PATH_RELATIONS) return []
  const fields = [...there.fields, ...RECORD_FIELDS].map((field) => through(relation, field))
  return [{ label: t('Fields of {label}', { label: relation.label }), fields }]
}

/** Prefixes of a path, such as `a.b` and `a.b.c`. */
function prefixesOf(path: string): readonly string[] {
  const names = path.split('.')
  return names.slice(1).map((_, at) => names.slice(0, at + 2).join('.'))
}

const through = (relation: Field, field: Field): Field => ({
  ...field,
  id: `${relation.id}.${field.id}`,
  name: `${relation.name}.${field.name}`,
  label: `${relation.label} › ${field.label}`,
})

export const fieldAt = (groups: readonly PathGroup[], path: string): Field | undefined =>
  groups.flatMap(({ fields }) => fields).find(({ name, id }) => name === path || id === path)

/** Converts a collection to the type that domain validation expects. */
export const definitionOf = ({ id, name, label, fields, titleField, version }: TypedCollection): Collection => ({
  id,
  name,
  label,
  fields,
  titleField: fields.find((field) => field.name === titleField)?.id ?? null,
  version,
})
