import type { Collection } from '../collections/collection.ts'
import { hasChoices } from '../fields/field.ts'
import { type Comparison, type Filter, literalsOf, pathsOf } from '../query/filter.ts'
import { readsText } from '../query/operators.ts'
import { isOwnText } from '../query/own-texts.ts'
import { comparisonsOf, type PathPart, type PathWorld, partsOfPath } from '../query/saved-filter.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import { NO_COLLECTION } from './check-policy.ts'
import type { Policy, PolicyGrant } from './policy.ts'

/**
 * What a policy names of the definitions. `list`: a field it opens or leaves out; `condition`, `preset`: it reads or
 * writes its values, `written` are those that stand there; `title`: it reads what names the records.
 */
export type Mention = {
  readonly collection: CollectionId
  readonly field: FieldId | null
  readonly by: 'grant' | 'list' | 'condition' | 'preset' | 'title' | 'example'
  readonly written: readonly unknown[]
  /** Whether choices are meant by what they are called: by a part of a name, or by what is noted about people. */
  readonly isByName?: true
}

type CollectionOf = (id: CollectionId) => Collection | undefined

/** Everything a policy names. What is gone already is left out: it matches nothing. */
export function mentionsOf({ grants, examples }: Policy, collectionOf: CollectionOf): readonly Mention[] {
  return [
    ...grants.flatMap((grant) => mentionsOfGrant(grant, collectionOf)),
    ...examples.flatMap(({ collection, field }): Mention[] =>
      collection === null ? [] : [{ collection, field, by: 'example', written: [] }],
    ),
  ]
}

function mentionsOfGrant(grant: PolicyGrant, collectionOf: CollectionOf): Mention[] {
  const { collection, where, fields, presets = {} } = grant
  const inWhere = where === undefined ? [] : mentionsInFilter(where, collection, collectionOf)
  if (collection === null) return inWhere
  const listed = fields === undefined ? [] : 'only' in fields ? fields.only : fields.except
  return [
    { collection, field: null, by: 'grant', written: [] },
    ...listed.map((field): Mention => ({ collection, field, by: 'list', written: [] })),
    ...Object.entries(presets).map(
      ([field, value]): Mention => ({
        collection,
        field,
        by: 'preset',
        written: Array.isArray(value) ? value : [value],
      }),
    ),
    ...inWhere,
  ]
}

function mentionsInFilter(where: Filter, home: CollectionId | null, collectionOf: CollectionOf): Mention[] {
  const collection = home === null ? NO_COLLECTION : collectionOf(home)
  return collection ? comparisonsOf(where).flatMap((one) => mentionsInComparison(one, collection, collectionOf)) : []
}

function mentionsInComparison(comparison: Comparison, collection: Collection, collectionOf: CollectionOf): Mention[] {
  const world = { collection, collectionOf }
  const paths = pathsOf(comparison).map((path) => partsOfPath(path, world) ?? [])
  const isByName = readsText(comparison.op) || literalsOf(comparison).some(isOwnText) || comparesOptionNames(paths)
  return paths.flatMap((parts) => mentionsOnPath(parts, { comparison, isByName }, world))
}

/** Options of two fields are equal where they have the same name. */
function comparesOptionNames(paths: readonly (readonly PathPart[])[]): boolean {
  const fields = paths.flatMap((parts) => {
    const leaf = parts.at(-1)?.leaf
    return leaf?.type === 'field' && hasChoices(leaf.field) ? [leaf.field.id] : []
  })
  return new Set(fields).size > 1
}

function mentionsOnPath(
  parts: readonly PathPart[],
  { comparison, isByName: isEndByName }: { readonly comparison: Comparison; readonly isByName: boolean },
  { collectionOf }: PathWorld,
): Mention[] {
  const { op } = comparison
  const written = literalsOf(comparison)
  return parts.flatMap(({ collection: there, leaf }, at): Mention[] => {
    if (leaf.type === 'system') return []
    const isLast = at === parts.length - 1
    const { id, kind, options } = leaf.field
    const isByName = isLast && isEndByName
    const own: Mention = {
      collection: there.id,
      field: id,
      by: 'condition',
      written: isLast ? written : [],
      ...(isByName && { isByName }),
    }
    if (!isLast || kind !== 'relation' || !readsText(op)) return [own]
    const into = collectionOf(options.collection)
    return into ? [own, { collection: into.id, field: into.titleField, by: 'title', written: [] }] : [own]
  })
}
