import type { QueryActor } from '#server/access/record-access/authorized-query.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { WriteDeps } from '#server/records/changes/commit-change.ts'
import type { QueryDeps } from '#server/query/run/slow-query-log.ts'
import type { ListCache } from '#server/query/cache/list-cache.ts'
import type { CursorSeal } from './sealed-cursors.ts'

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
    readonly cursorSeal: CursorSeal
  }

/** The actor of a query, at the time that the dependencies read. */
export const queryActorOf = ({ clock, isPast }: RecordDeps, definitions: Definitions, actor: Actor): QueryActor => ({
  definitions,
  actor,
  now: clock(),
  isPast: isPast === true,
})
