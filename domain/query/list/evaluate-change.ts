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

/** One record before and after a write; null where it was not there yet, or is not any more. */
export type RecordChange = { readonly before: CollectionRecord | null; readonly after: CollectionRecord | null }

/** What decides which records are in a list. */
export type Membership = Pick<CheckedRecordsQuery, 'collection' | 'where' | 'search'>

/** Whether a record was and is in a list. */
export type MembershipChange = { readonly was: boolean; readonly is: boolean }

/**
 * Whether a changed record was and is in a list; undefined where its own values do not tell, since other records or the
 * names of files or people decide.
 */
export function membershipChange(list: Membership, { before, after }: RecordChange): MembershipChange | undefined {
  return withoutLookup((lookup) => ({ was: isIn(list, before, lookup), is: isIn(list, after, lookup) }))
}

/** Whether a record is in a list; undefined where its own values do not tell. */
export const isMember = (list: Membership, record: CollectionRecord): boolean | undefined =>
  withoutLookup((lookup) => isIn(list, record, lookup))

/** Whether a condition describes a record; undefined where its own values do not tell. */
export const conditionHolds = (condition: CheckedFilter, record: CollectionRecord): boolean | undefined =>
  withoutLookup((lookup) => matches(condition, record, lookup))

/** From where to where a changed record moves in a sorted list; undefined where its own values do not tell. */
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

/** Runs a judgement of one record that must not need anything else; undefined when it did. */
function withoutLookup<Result>(evaluate: (lookup: Lookup) => Result): Result | undefined {
  let usedLookup = false
  const missing = (): undefined => {
    usedLookup = true
    return undefined
  }
  const result = evaluate({ recordOf: missing, fileNameOf: missing, userNameOf: missing })
  return usedLookup ? undefined : result
}

/** Whether a list or its order depends on the names of people, which no record holds. */
export function dependsOnUserNames({ where, search }: Membership, parts: readonly SortPart[]): boolean {
  return nodeDependsOnUserNames(where) || nodeDependsOnUserNames(search.where) || parts.some(partDependsOnUserNames)
}

const nodeDependsOnUserNames = (node: CheckedNode): boolean =>
  conditionsIn(node).some(
    (each) => testsNames(each) || sourcesOf(each).flatMap(conditionsOn).some(nodeDependsOnUserNames),
  )

/** Two fields that hold people are compared by their ids. */
function testsNames(node: CheckedCondition): boolean {
  if (node.type === 'pair' || kindOfLeaf(node.leaf) !== 'user') return false
  return node.test.is !== 'oneOf' && node.test.is !== 'filled'
}

const partDependsOnUserNames = (part: SortPart): boolean =>
  (kindOfLeaf(part.leaf) === 'user' && part.take !== 'value') || conditionsOn(part).some(nodeDependsOnUserNames)

/**
 * The collections a list reads through relations, in its conditions, its search or its order. A change of any record in
 * them may change the list; the list's own collection is among them only if a relation leads back to it.
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
