import type { Viewpoint } from '#tests/access-oracle/expect/viewpoint.ts'
import type { World, WorldCollection } from '#tests/access-oracle/world/world.ts'

/** The ways to come: said from outside; by roles; with a token that leaves less; seen by an owner, who looks as them. */
export const ACCESS_MODES = ['granted', 'roles', 'token', 'seen'] as const
export type AccessMode = (typeof ACCESS_MODES)[number]

/** What somebody else began, and nobody who visits. */
export type Foreign = { readonly job: string; readonly imported: string; readonly upload: string }

/** Somebody who asks: the whole world, and what they see of it. */
export type Requester = {
  readonly world: World
  readonly view: World
  /** What they may take out of a collection; undefined where nothing. */
  readonly exportOf: (collection: string) => WorldCollection | undefined
  readonly viewpoint: Viewpoint
  readonly way: AccessMode
  readonly foreign: Foreign
}

/** A request and what must be answered; a list may be walked through with cursors. */
export type OracleRequest = {
  readonly path: string
  readonly expected: Expected
  /** The values, `record.field`, that an answer may take its words from. */
  readonly told?: readonly string[]
  /** How the answer is read before it is compared. */
  readonly reads:
    | 'list'
    | 'walk'
    | 'groups'
    | 'sums'
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
  /** Whether the owner asks, about whoever is there. */
  readonly isOfOwner?: boolean
  /** Whether it takes more than reading records, which is all that is left to who looks as somebody else. */
  readonly isMoreThanReading?: boolean
  /** GET, or POST where something is sent. */
  readonly method?: 'HEAD' | 'PATCH' | 'DELETE'
  /** What is sent. */
  readonly body?: object
}

/** Equal to what is read of the answer; `status` and `code` alone for a refusal. */
export type Expected = { readonly status: number | 'refused'; readonly [part: string]: unknown }
