import type { Profile } from '../access/actor.ts'
import type { Decision } from '../access/decide.ts'
import type { Collection } from '../collections/collection.ts'
import type { ProblemCode } from '../shared/problem.ts'
import type { CollectionId, UserId } from '../shared/ids.ts'
import { type Result, fail } from '../shared/result.ts'

/** What a query is checked against: the collections, what the actor may see of them, and what `@me` and `@today` mean. */
export type QueryContext = {
  readonly collection: Collection
  /** Any collection by id: relations lead there. */
  readonly collectionOf: (id: CollectionId) => Collection | undefined
  /** What the actor may do in a collection, for the permission the query is made under. */
  readonly decisionFor: (id: CollectionId) => Decision
  readonly now: Date
  /** IANA name of the actor's time zone, such as `Europe/Vienna`: their own filters are read by it. See `findTimeZone`. */
  readonly timeZone: string
  /** The time zone of the workspace: grants, validation rules and guards are read by it, for no request may choose it. */
  readonly workspaceTimeZone: string
  /** null for the program itself: `@me` is then nobody. */
  readonly actorId: UserId | null
  /** What `@me.region` means; absent where nobody asks: then it means nothing at all, whatever is named. */
  readonly profile?: Profile | undefined
}

/** The part of a query that was refused. */
export type QueryPart = 'filter' | 'sort' | 'search' | 'group' | 'cursor'

/** Why a query was refused. `position` counts UTF-16 units from 0 in the text; `path` names the part or the place in a tree. */
export type QueryFault = {
  readonly code: Extract<ProblemCode, `invalid-${QueryPart}`>
  readonly message: string
  readonly position?: number
  readonly path: string
}

/** Refuses a part of a query. */
export function invalidQuery(
  part: QueryPart,
  message: string,
  position?: number,
  path: string = part,
): Result<never, QueryFault> {
  return fail({ code: `invalid-${part}` as const, message, path, ...(position === undefined ? {} : { position }) })
}
