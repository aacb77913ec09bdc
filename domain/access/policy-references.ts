import type { Collection } from '#domain/collections/collection.ts'
import { type Comparison, type Filter, type FilterLiteral, literalsOf, pathsOf } from '#domain/query/filter/filter.ts'
import { attributeNameOf, isAttributeMarker } from '#domain/query/filter/attribute-markers.ts'
import { type PathPart, comparisonsOf, partsOfPath } from '#domain/query/filter/saved-filter.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import type { Field } from '#domain/fields/field.ts'
import { ANY_COLLECTION } from './check-policy.ts'
import type { Policy, PolicyGrant } from './policy.ts'
import { readsAttribute } from '#domain/query/check/check-condition.ts'
import { type Grant, isMarker } from './grant.ts'

/**
 * `list`: the field is in the grant's field list; `condition` and `preset`: the field is used in a condition or set by
 * a default value, with these `literals`.
 */
export type PolicyReference = {
  readonly collection: CollectionId
  readonly field: FieldId | null
  readonly by: 'grant' | 'list' | 'condition' | 'preset' | 'example'
  readonly literals: readonly unknown[]
  /** The field's options are compared by name with a user attribute. */
  readonly isByName?: true
}

type CollectionOf = (id: CollectionId) => Collection | undefined

/** Omits references to deleted fields and collections, because they match nothing. */
export function referencesOf({ grants, examples }: Policy, collectionOf: CollectionOf): readonly PolicyReference[] {
  return [
    ...grants.flatMap((grant) => referencesOfGrant(grant, collectionOf)),
    ...examples.flatMap(({ collection, field }): PolicyReference[] =>
      collection === null ? [] : [{ collection, field, by: 'example', literals: [] }],
    ),
  ]
}

function referencesOfGrant(grant: PolicyGrant, collectionOf: CollectionOf): PolicyReference[] {
  const { collection, where, fields, presets = {} } = grant
  const inCondition = where === undefined ? [] : referencesInFilter(where, collection, collectionOf)
  if (collection === null) return inCondition
  const listed = fields === undefined ? [] : 'only' in fields ? fields.only : fields.except
  return [
    { collection, field: null, by: 'grant', literals: [] },
    ...listed.map((field): PolicyReference => ({ collection, field, by: 'list', literals: [] })),
    ...Object.entries(presets).map(
      ([field, value]): PolicyReference => ({
        collection,
        field,
        by: 'preset',
        literals: Array.isArray(value) ? value : [value],
      }),
    ),
    ...inCondition,
  ]
}

function referencesInFilter(where: Filter, home: CollectionId | null, collectionOf: CollectionOf): PolicyReference[] {
  const collection = home === null ? ANY_COLLECTION : collectionOf(home)
  return collection ? comparisonsOf(where).flatMap((one) => referencesInComparison(one, collection, collectionOf)) : []
}

function referencesInComparison(
  comparison: Comparison,
  collection: Collection,
  collectionOf: CollectionOf,
): PolicyReference[] {
  const context = { collection, collectionOf }
  const paths = pathsOf(comparison).map((path) => partsOfPath(path, context) ?? [])
  return paths.flatMap((parts) => referencesOnPath(parts, literalsOf(comparison)))
}

function referencesOnPath(parts: readonly PathPart[], literals: readonly FilterLiteral[]): PolicyReference[] {
  return parts.flatMap(({ collection, leaf }, at): PolicyReference[] => {
    if (leaf.type === 'system') return []
    const own = { collection: collection.id, field: leaf.field.id, by: 'condition' } as const
    const relation = relationBehind(leaf.field)
    if (at < parts.length - 1) return [{ ...own, literals: [] }, ...relation]
    return [...relation, { ...own, literals, ...(literals.some(isAttributeMarker) && { isByName: true }) }]
  })
}

/** The relation that a reverse side depends on. */
const relationBehind = (field: Field): PolicyReference[] =>
  field.kind === 'reverse'
    ? [{ collection: field.options.collection, field: field.options.relation, by: 'condition', literals: [] }]
    : []

/** Whether a grant's condition or default values use a user attribute. */
export const dependsOnAttribute = ({ where, presets = {} }: Grant, name: string): boolean =>
  (where !== undefined && readsAttribute(where, name)) ||
  Object.values(presets).some((preset) => isMarker(preset) && attributeNameOf(preset) === name)
