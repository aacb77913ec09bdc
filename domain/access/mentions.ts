import type { Collection } from '../collections/collection.ts'
import { type Comparison, type Filter, type FilterLiteral, literalsOf, pathsOf } from '../query/filter.ts'
import { isOwnText } from '../query/own-texts.ts'
import { comparisonsOf, type PathPart, partsOfPath } from '../query/saved-filter.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import { NO_COLLECTION } from './check-policy.ts'
import type { Policy, PolicyGrant } from './policy.ts'

/**
 * What a policy names of the definitions. `list`: a field it opens or leaves out; `condition`, `preset`: it reads or
 * writes its values, `written` are those that it names.
 */
export type Mention = {
  readonly collection: CollectionId
  readonly field: FieldId | null
  readonly by: 'grant' | 'list' | 'condition' | 'preset' | 'example'
  readonly written: readonly unknown[]
  /** Whether options are meant by their names: they are compared with a user attribute. */
  readonly isByName?: true
}

type CollectionOf = (id: CollectionId) => Collection | undefined

/**
 * Everything a policy names. What is gone already is left out: it matches nothing, just as a comparison by names that a
 * grant may not make (see `countedGrant`).
 */
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
  return paths.flatMap((parts) => mentionsOnPath(parts, literalsOf(comparison)))
}

function mentionsOnPath(parts: readonly PathPart[], written: readonly FilterLiteral[]): Mention[] {
  return parts.flatMap(({ collection, leaf }, at): Mention[] => {
    if (leaf.type === 'system') return []
    const own = { collection: collection.id, field: leaf.field.id, by: 'condition' } as const
    if (at < parts.length - 1) return [{ ...own, written: [] }]
    return [{ ...own, written, ...(written.some(isOwnText) && { isByName: true }) }]
  })
}
