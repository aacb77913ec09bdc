import type { Viewpoint } from '#tests/access-oracle/expect/viewpoint.ts'
import type { Answer } from '#tests/support/server/test-app.ts'
import type { Past, World, WorldCollection } from '#tests/access-oracle/world/world.ts'

export type Get = (path: string) => Promise<Answer>

/** Authentication for a request: grants set in the test, roles, a limited token, or an impersonating owner. */
export const ACCESS_MODES = ['granted', 'roles', 'token', 'seen'] as const
export type AccessMode = (typeof ACCESS_MODES)[number]

export type Foreign = { readonly job: string; readonly imported: string; readonly upload: string }

export type Requester = {
  readonly world: World
  readonly view: World
  readonly exportOf: (collection: string) => WorldCollection | undefined
  readonly viewpoint: Viewpoint
  readonly way: AccessMode
  readonly foreign: Foreign
  readonly pasts: readonly Past[]
}

export type OracleRequest = {
  readonly path: string
  readonly expected: Expected
  readonly reported?: readonly string[]
  readonly reads:
    | 'list'
    | 'walk'
    | 'groups'
    | 'sums'
    | 'days'
    | 'record'
    | 'csv'
    | 'status'
    | 'definition'
    | 'everywhere'
    | 'moves'
    | 'rights'
    | 'collections'
    | 'people'
    | 'signed'
    | 'views'
    | 'items'
    | 'audit'
    | 'scope'
    | 'refusal'
    | 'counts'
    | 'waiting'
    | 'past'
  /** Returns what is wrong with an answer that has no single right content. */
  readonly judge?: (body: Answer['body'], get: Get) => Promise<readonly string[]>
  /** Worlds whose markers may occur in the answer, in addition to the visible one. */
  readonly views?: () => readonly World[]
  readonly isOfOwner?: boolean
  readonly isMoreThanReading?: boolean
  readonly method?: 'HEAD' | 'PATCH' | 'DELETE'
  readonly body?: object
}

export type Expected = { readonly status: number | 'refused'; readonly [part: string]: unknown }
