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
} from './checked-filter.ts'
import { matches } from './matches.ts'
import { kindOfLeaf } from './read-literal.ts'
import type { Lookup } from './read-values.ts'
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
function withoutLookup<Verdict>(judge: (lookup: Lookup) => Verdict): Verdict | undefined {
  let hasLooked = false
  const nothing = (): undefined => {
    hasLooked = true
    return undefined
  }
  const verdict = judge({ recordOf: nothing, fileNameOf: nothing, userNameOf: nothing })
  return hasLooked ? undefined : verdict
}

/** Whether a list or its order depends on the names of people, which no record holds. */
export function readsNames({ where, search }: Membership, parts: readonly SortPart[]): boolean {
  return nodeReadsNames(where) || nodeReadsNames(search.where) || parts.some(partReadsNames)
}

const nodeReadsNames = (node: CheckedNode): boolean =>
  conditionsIn(node).some((each) => testsNames(each) || sourcesOf(each).flatMap(conditionsOn).some(nodeReadsNames))

/** Two fields that hold people are compared by their ids. */
function testsNames(node: CheckedCondition): boolean {
  if (node.type === 'pair' || kindOfLeaf(node.leaf) !== 'user') return false
  return node.test.is !== 'oneOf' && node.test.is !== 'filled'
}

const partReadsNames = (part: SortPart): boolean =>
  (kindOfLeaf(part.leaf) === 'user' && part.take !== 'value') || conditionsOn(part).some(nodeReadsNames)

/**
 * The collections a list reads through relations, in its conditions, its search or its order. A change of any record in
 * them may change the list; the list's own collection is among them only if a relation leads back to it.
 */
export function collectionsReached(
  { where, search }: Membership,
  parts: readonly SortPart[],
): ReadonlySet<CollectionId> {
  const reached = new Set<CollectionId>()
  noteNode(where, reached)
  noteNode(search.where, reached)
  for (const part of parts) noteSource(part, reached)
  return reached
}

function noteNode(node: CheckedNode, reached: Set<CollectionId>): void {
  for (const source of conditionsIn(node).flatMap(sourcesOf)) noteSource(source, reached)
}

function noteSource(source: Source, reached: Set<CollectionId>): void {
  for (const { into } of source.steps) reached.add(into)
  for (const condition of conditionsOn(source)) noteNode(condition, reached)
}
