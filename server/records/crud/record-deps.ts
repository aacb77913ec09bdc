import type { Actor } from '#domain/access/actor.ts'
import type { WriteDeps } from '#server/records/changes/commit-change.ts'
import type { QueryDeps } from '#server/query/run/slow-query-log.ts'
import type { ListCache } from '#server/query/cache/list-cache.ts'

/** Short-lived signed URLs of a file for an actor; a thumbnail only for images. */
export type SignFileUrl = (
  file: { readonly id: string; readonly width: number | null },
  actor: Actor,
) => {
  readonly url: string
  readonly thumbUrl: string | null
}

export type RecordDeps = WriteDeps &
  QueryDeps & {
    readonly fileAddress: SignFileUrl
    readonly shapes: ListCache
  }
