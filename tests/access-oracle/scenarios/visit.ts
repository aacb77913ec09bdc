import type { Caller } from '#tests/support/server/test-app.ts'
import type { BuiltWorld } from '#tests/access-oracle/world/build-world.ts'
import type { Visitors } from '#tests/access-oracle/world/visitors.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import type { Foreign, AccessMode } from '#tests/access-oracle/requests/request.ts'
import { marksIn, marksSeen } from '#tests/access-oracle/world/markers.ts'
import type { Viewpoint } from '#tests/access-oracle/expect/viewpoint.ts'
import type { Marks, World } from '#tests/access-oracle/world/world.ts'

/** One visit: who is there, what they see, and whom one asks how things really stand. */
export type Visit = {
  readonly owner: Caller
  readonly caller: Caller
  /** An unauthenticated actor. */
  readonly guest: Caller
  readonly viewpoint: Viewpoint
  readonly way: AccessMode
  readonly draw: Random
  readonly marks: Marks
  readonly foreign: Foreign
  /** Everybody who may visit. */
  readonly visitors: Visitors
  /** The server's ids of what is in this world. */
  readonly built: Pick<BuiltWorld, 'idOf' | 'fieldIdOf'>
  /** Counts a request of a kind. */
  readonly count: (kind: string) => void
}

/** What was asked and not answered as it must be. */
export type Difference = { readonly asked: string; readonly expected: unknown; readonly found: unknown }

/** Marks in an answer that stand neither in what its reader sees nor in what they sent. */
export function leaksIn(
  asked: string,
  text: string,
  sent: readonly string[],
  views: readonly World[],
): readonly Difference[] {
  const known = new Set([...sent.flatMap(marksIn), ...views.flatMap(marksSeen)])
  const told = marksIn(text).filter((mark) => !known.has(mark))
  return told.length > 0 ? [{ asked, expected: 'nothing that is hidden', found: { told, text } }] : []
}
