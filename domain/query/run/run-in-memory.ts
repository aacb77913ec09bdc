import type { CollectionRecord } from '../../records/record.ts'
import type { KeyValue } from '../../shared/compare-values.ts'
import { optionField } from '../check/checked-filter.ts'
import { leafValues, type Lookup, valuesAt } from './read-values.ts'
import { compareSortKeys, sortKeyOf } from '../list/sort.ts'
import { matches, nodeMatches } from './matches.ts'
import {
  type Aggregate,
  type CheckedGroupQuery,
  type GroupField,
  type RecordGroup,
  aggregateLeaf,
  entriesFields,
  groupKeyOf,
} from '../list/group.ts'
import { meanOf, roundAggregate } from '../list/aggregates.ts'
import type { CheckedRecordsQuery } from '../list/records-query.ts'

/** Runs a query in memory, without pagination. */
export function findInMemory(
  query: CheckedRecordsQuery,
  records: readonly CollectionRecord[],
  lookup: Lookup,
): CollectionRecord[] {
  const { where, search, sort } = query
  return records
    .filter((record) => matches(where, record, lookup) && matches(search.where, record, lookup))
    .map((record) => ({ record, key: sortKeyOf(sort, record, lookup) }))
    .sort((left, right) => compareSortKeys(sort, left.key, right.key))
    .map(({ record }) => record)
}

export function pageInMemory(
  query: CheckedRecordsQuery,
  records: readonly CollectionRecord[],
  lookup: Lookup,
): { readonly records: CollectionRecord[]; readonly hasMore: boolean } {
  const { sort, page } = query
  const { after, ordinal, skip, limit } = page
  const found = findInMemory(query, records, lookup)
  const rest = after
    ? found.filter((record) => compareSortKeys(sort, sortKeyOf(sort, record, lookup), after) > 0).slice(skip)
    : found.slice(ordinal)
  return { records: rest.slice(0, limit), hasMore: rest.length > limit }
}

export function groupInMemory(
  query: CheckedRecordsQuery,
  grouping: CheckedGroupQuery,
  records: readonly CollectionRecord[],
  lookup: Lookup,
): { readonly groups: RecordGroup[]; readonly total: number } {
  const sorted = findInMemory(query, records, lookup)
    .flatMap((record) => groupKeys(grouping.by, record, lookup).map((key) => ({ record, key })))
    .sort((left, right) => compareSortKeys(grouping.parts, left.key, right.key))
  const starts = sorted.flatMap(({ key }, at) => {
    const before = sorted[at - 1]
    return before && compareSortKeys(grouping.parts, before.key, key) === 0 ? [] : at
  })
  const groups = starts.map((start, at): RecordGroup => {
    const members = sorted.slice(start, starts[at + 1])
    const aggregates = grouping.aggregates.map((aggregate) =>
      aggregateValue(
        aggregate,
        members.map(({ record }) => record),
        lookup,
      ),
    )
    return { key: groupKeyOf(grouping.by, members[0]?.key ?? []), count: members.length, aggregates, offset: start }
  })
  return { groups: groups.slice(grouping.offset, grouping.offset + grouping.limit), total: groups.length }
}

/** The keys of a record’s groups: one for each combination of values of the fields that have several. */
function groupKeys(by: readonly GroupField[], record: CollectionRecord, lookup: Lookup): (readonly KeyValue[])[] {
  const copies = entriesFields(by).reduce<readonly CollectionRecord[]>(
    (made, { leaf, entries }) => {
      const options = optionField(leaf)?.options.choices
      const values = valuesAt(entries, record, lookup, nodeMatches)
        .map(({ scalar }) => String(scalar))
        .filter((value) => options === undefined || options.some(({ id }) => id === value))
      const id = leaf.type === 'field' ? leaf.field.id : ''
      const filled = values.length === 0 ? [null] : values
      return made.flatMap((copy) => filled.map((value) => ({ ...copy, values: { ...copy.values, [id]: value } })))
    },
    [record],
  )
  // Conditions of other fields are evaluated with all values.
  return copies.map((copy) => by.flatMap(({ parts, entries }) => sortKeyOf(parts, entries ? copy : record, lookup)))
}

function aggregateValue(aggregate: Aggregate, records: readonly CollectionRecord[], lookup: Lookup): number | null {
  if (aggregate.type === 'count') return records.length
  const leaf = aggregateLeaf(aggregate)
  const numbers = records
    .flatMap((record) => leafValues(leaf, record, lookup, nodeMatches).map(({ scalar }) => scalar))
    .filter((value) => typeof value === 'number')
  if (numbers.length === 0) return null

  const sum = () => numbers.reduce((total, value) => total + value, 0)
  switch (aggregate.type) {
    case 'sum':
      return roundAggregate(sum())
    case 'avg':
      return meanOf(sum(), numbers.length)
    case 'min':
      return numbers.reduce((min, value) => Math.min(min, value))
    case 'max':
      return numbers.reduce((max, value) => Math.max(max, value))
  }
}
