import type { CheckedGroupQuery } from '#domain/query/list/group.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import type { IndexSpec } from '#domain/query/list/index-selection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'

/** A query that was run; `grouping` is set where its groups were asked for. */
export type ExecutedQuery = { readonly query: CheckedRecordsQuery; readonly grouping?: CheckedGroupQuery }

/** The same with how long the database took for it, waiting included. */
export type TimedQuery = ExecutedQuery & { readonly tookMs: number }

/** Is told of every query that was run; whoever keeps indexes learns from it. */
export type RecordQueryTime = (asked: TimedQuery) => void

/** Whether there is an index in a collection that does all that one is wanted for. */
export type IsIndexed = (collection: CollectionId, want: IndexSpec) => boolean

/** Does what asks the database, and notes how long that took. */
export async function withQueryTiming<Answer>(
  { noteAsked }: { readonly noteAsked?: RecordQueryTime | undefined },
  question: ExecutedQuery,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const startedAt = performance.now()
  const answer = await ask()
  noteAsked?.({ ...question, tookMs: performance.now() - startedAt })
  return answer
}
