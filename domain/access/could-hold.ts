import { checkRule } from '../query/check-filter.ts'
import type { CheckedNode } from '../query/checked-filter.ts'
import type { Filter } from '../query/filter.ts'
import { nodeMatches } from '../query/matches.ts'
import type { QueryContext } from '../query/query-context.ts'
import type { Lookup } from '../query/read-values.ts'
import type { CollectionRecord, RecordValues } from '../records/record.ts'
import { readsValuesAlone } from '../rules/broken-rules.ts'

/**
 * Whether a condition could describe a record of these values. What stands elsewhere, behind relations or by the
 * server's hand, is taken to fit: the write itself judges the whole.
 */
export function couldMatch(where: Filter, context: QueryContext, values: RecordValues): boolean {
  const record: CollectionRecord = { ...NEW, collection: context.collection.id, values }
  return nodeCouldMatch(checkRule(where, context), record)
}

function nodeCouldMatch(node: CheckedNode, record: CollectionRecord): boolean {
  switch (node.type) {
    case 'all':
      return node.of.every((part) => nodeCouldMatch(part, record))
    case 'any':
      return node.of.some((part) => nodeCouldMatch(part, record))
    case 'compare':
    case 'pair':
      return !readsValuesAlone(node) || nodeMatches(node, record, NO_LOOKUP)
  }
}

/** A record that is not there yet. */
const NEW = { id: '', version: 1, createdAt: '', createdBy: null, updatedAt: '', updatedBy: null } as const

const NO_LOOKUP: Lookup = {
  recordOf: () => undefined,
  fileNameOf: () => undefined,
  userNameOf: () => undefined,
}
