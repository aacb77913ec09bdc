import { checkStoredFilter } from '#domain/query/check-filter.ts'
import type { CheckedNode } from '#domain/query/checked-filter.ts'
import type { Filter } from '#domain/query/filter.ts'
import { nodeMatches } from '#domain/query/matches.ts'
import type { QueryContext } from '#domain/query/query-context.ts'
import type { Lookup } from '#domain/query/read-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { readsOnlyOwnValues } from '#domain/rules/rule-violations.ts'

/**
 * Whether a record with these values could match. Values that are not given, such as linked or generated ones, count as
 * matching: the write itself checks the complete record.
 */
export function couldMatch(where: Filter, context: QueryContext, values: RecordValues): boolean {
  const record: CollectionRecord = { ...NEW_RECORD, collection: context.collection.id, values }
  return nodeCouldMatch(checkStoredFilter(where, context), record)
}

function nodeCouldMatch(node: CheckedNode, record: CollectionRecord): boolean {
  switch (node.type) {
    case 'all':
      return node.of.every((part) => nodeCouldMatch(part, record))
    case 'any':
      return node.of.some((part) => nodeCouldMatch(part, record))
    case 'compare':
    case 'pair':
      return !readsOnlyOwnValues(node) || nodeMatches(node, record, NO_LOOKUP)
  }
}

/** A record that is not there yet. */
const NEW_RECORD = { id: '', version: 1, createdAt: '', createdBy: null, updatedAt: '', updatedBy: null } as const

const NO_LOOKUP: Lookup = {
  recordOf: () => undefined,
  fileNameOf: () => undefined,
  userNameOf: () => undefined,
}
