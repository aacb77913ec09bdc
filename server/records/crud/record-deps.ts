import type { Actor } from '#domain/access/actor.ts'
import type { WriteDeps } from '#server/records/changes/commit-change.ts'
import type { IsIndexed, RecordQueryTime } from '#server/query/run/slow-query-log.ts'
import type { ListCache } from '#server/query/cache/list-cache.ts'

/** Where an actor can have a file: short-lived addresses signed for them, the small picture's only when it is a picture. */
export type SignFileUrl = (
  file: { readonly id: string; readonly width: number | null },
  actor: Actor,
) => {
  readonly url: string
  readonly thumbUrl: string | null
}

/** What the stories of records are handed. */
export type RecordDeps = WriteDeps & {
  readonly fileAddress: SignFileUrl
  /** What is known of lists without reading them again. */
  readonly shapes: ListCache
  /** Learns from queries which indexes are wanted. */
  readonly noteAsked?: RecordQueryTime
  /** Says which wanted indexes are there. */
  readonly isIndexed?: IsIndexed
}
