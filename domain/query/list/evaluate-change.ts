import type { CollectionRecord } from '#domain/records/record.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import {
  type CheckedCondition,
  type CheckedFilter,
  type CheckedNode,
  type Source,
  conditionsIn,
  conditionsOn,
  sourcesOf,
} from '../check/checked-filter.ts'
import { matches } from '../run/matches.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'
import type { Lookup } from '../run/read-values.ts'
import type { CheckedRecordsQuery } from './records-query.ts'
import type { PositionChange, SortKey } from './page-index.ts'
import { type CheckedSort, type SortPart, sortKeyOf } from './sort.ts'

/** null before creation or after deletion. */
export type RecordChange = { readonly before: CollectionRecord | null; readonly after: CollectionRecord | null }

/** Query properties that determine which records are in the list. */
export type Membership = Pick<CheckedRecordsQuery, 'collection' | 'where' | 'search'>

/** Whether a record was in a list before a change, and is after it. */
export type MembershipChange = { readonly was: boolean; readonly is: boolean }

/** Returns undefined if the result depends on other records, or on file or user names. */
export function membershipChange(list: Membership, { before, after }: RecordChange): MembershipChange | undefined {
  return withoutLookup((lookup) => ({ was: isIn(list, before, lookup), is: isIn(list, after, lookup) }))
}

/** Returns undefined if the result depends on more than the record's own values. */
export const isMember = (list: Membership, record: CollectionRecord): boolean | undefined =>
  withoutLookup((lookup) => isIn(list, record, lookup))

/** Returns undefined if the result depends on more than the record's own values. */
export const conditionHolds = (condition: CheckedFilter, record: CollectionRecord): boolean | undefined =>
  withoutLookup((lookup) => matches(condition, record, lookup))

/** A record's old and new sort keys in a list; undefined if they depend on more than the record's own values. */
export function positionChange(
  list: Membership,
  sort: CheckedSort,
  { before, after }: RecordChange,
): PositionChange | undefined {
  return withoutLookup((lookup) => {
    const keyIn = (record: CollectionRecord | null): SortKey | null =>
      record !== null && isIn(list, record, lookup) ? sortKeyOf(sort, record, lookup) : null
    return { from: keyIn(before), to: keyIn(after) }
  })
}

const isIn = ({ where, search }: Membership, record: CollectionRecord | null, lookup: Lookup): boolean =>
  record !== null && matches(where, record, lookup) && matches(search.where, record, lookup)

/** Returns undefined if the evaluation requires a lookup. */
function withoutLookup<Result>(evaluate: (lookup: Lookup) => Result): Result | undefined {
  let usedLookup = false
  const missing = (): undefined => {
    usedLookup = true
    return undefined
  }
  const linkingTo = () => {
    usedLookup = true
    return []
  }
  const result = evaluate({
    recordOf: missing,
    linkingTo,
    fileNameOf: missing,
    userNameOf: missing,
    manualKeyOf: missing,
  })
  return usedLookup ? undefined : result
}

/** User names aren't stored in records. */
export function dependsOnUserNames({ where, search }: Membership, parts: readonly SortPart[]): boolean {
  return nodeDependsOnUserNames(where) || nodeDependsOnUserNames(search.where) || parts.some(partDependsOnUserNames)
}

const nodeDependsOnUserNames = (node: CheckedNode): boolean =>
  conditionsIn(node).some(
    (each) => testsNames(each) || sourcesOf(each).flatMap(conditionsOn).some(nodeDependsOnUserNames),
  )

/** Two user fields are compared by ID. */
function testsNames(node: CheckedCondition): boolean {
  if (node.type === 'pair' || kindOfLeaf(node.leaf) !== 'user') return false
  return node.test.is !== 'oneOf' && node.test.is !== 'filled'
}

const partDependsOnUserNames = (part: SortPart): boolean =>
  (kindOfLeaf(part.leaf) === 'user' && part.keyType !== 'value') || conditionsOn(part).some(nodeDependsOnUserNames)

/**
 * Collections that a list's conditions, search or sort read through relations; changes to their records may change the
 * list.
 */
export function collectionsRead({ where, search }: Membership, parts: readonly SortPart[]): ReadonlySet<CollectionId> {
  const collections = new Set<CollectionId>()
  addNode(where, collections)
  addNode(search.where, collections)
  for (const part of parts) addSource(part, collections)
  return collections
}

function addNode(node: CheckedNode, collections: Set<CollectionId>): void {
  for (const source of conditionsIn(node).flatMap(sourcesOf)) addSource(source, collections)
}

function addSource(source: Source, collections: Set<CollectionId>): void {
  for (const { into } of source.steps) collections.add(into)
  for (const condition of conditionsOn(source)) addNode(condition, collections)
}
