import type { CheckedGroupQuery } from '#domain/query/list/group.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import type { IndexedField, IndexSpec } from '#domain/query/list/index-selection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Database } from '#server/platform/database/database.ts'

export type ExecutedQuery = { readonly query: CheckedRecordsQuery; readonly grouping?: CheckedGroupQuery }

export type TimedQuery = ExecutedQuery & { readonly tookMs: number }

export type RecordQueryTime = (requested: TimedQuery) => void

/** Whether an index serves a query, and conditions on further fields can be checked without reading records. */
export type IsIndexed = (collection: CollectionId, want: IndexSpec, further?: readonly IndexedField[]) => boolean

/** Dependencies for running a query. Query durations are recorded to decide which indexes to build. */
export type QueryDeps = {
  readonly database: Database
  readonly recordQueryTime?: RecordQueryTime | undefined
  readonly isIndexed?: IsIndexed | undefined
  /** Whether `database` reads an earlier time, which has no full-text index. */
  readonly isPast?: boolean
}

export async function withQueryTiming<Answer>(
  { recordQueryTime }: { readonly recordQueryTime?: RecordQueryTime | undefined },
  question: ExecutedQuery,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const startedAt = performance.now()
  const answer = await ask()
  recordQueryTime?.({ ...question, tookMs: performance.now() - startedAt })
  return answer
}
