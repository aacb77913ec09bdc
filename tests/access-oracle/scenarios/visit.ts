import type { Caller } from '#tests/support/server/test-app.ts'
import type { BuiltWorld } from '#tests/access-oracle/world/build-world.ts'
import type { Visitors } from '#tests/access-oracle/world/visitors.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import type { Foreign, AccessMode } from '#tests/access-oracle/requests/request.ts'
import { marksIn, marksSeen } from '#tests/access-oracle/world/markers.ts'
import type { Viewpoint } from '#tests/access-oracle/expect/viewpoint.ts'
import type { Marks, Past, World } from '#tests/access-oracle/world/world.ts'

export type Visit = {
  readonly owner: Caller
  readonly caller: Caller
  readonly guest: Caller
  readonly viewpoint: Viewpoint
  readonly way: AccessMode
  readonly draw: Random
  readonly marks: Marks
  readonly foreign: Foreign
  /** The worlds before each write. */
  readonly pasts: readonly Past[]
  readonly visitors: Visitors
  readonly built: Pick<BuiltWorld, 'idOf' | 'fieldIdOf'>
  readonly count: (kind: string) => void
}

export type Difference = { readonly requested: string; readonly expected: unknown; readonly found: unknown }

export function leaksIn(
  requested: string,
  text: string,
  sent: readonly string[],
  views: readonly World[],
): readonly Difference[] {
  const known = new Set([...sent.flatMap(marksIn), ...views.flatMap(marksSeen)])
  const reported = marksIn(text).filter((mark) => !known.has(mark))
  return reported.length > 0 ? [{ requested, expected: 'nothing that is hidden', found: { reported, text } }] : []
}
