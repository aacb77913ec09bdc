import type { Grant } from '#domain/access/grant.ts'
import { openTestApp } from '#tests/support/test-app.ts'
import { tusSender } from '#tests/support/tus-sender.ts'
import { type Disagreement, type Visitor, askWorld } from './run-oracle.ts'
import { NOW } from './world.ts'

/** The oracle beside a server on a fresh database of the run's dialect. */
export type Oracle = {
  readonly askWorld: (seed: number) => Promise<readonly Disagreement[]>
  readonly close: () => Promise<void>
}

/** Opens it; close it when all is asked. */
export async function openOracle(): Promise<Oracle> {
  const app = await openTestApp()
  app.clock.set(NOW)
  const owner = await app.asOwner()
  const builder = { owner, sender: tusSender(await app.listen(), owner) }
  let granted: readonly Grant[] = []
  const visitor: Visitor = {
    caller: await app.asGranted(() => granted),
    // A new list each time: what is decided by one is remembered.
    grant: (grants) => (granted = grants),
    role: 'viewer',
  }
  return { askWorld: (seed) => askWorld(builder, visitor, seed), close: app.close }
}
