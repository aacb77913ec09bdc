import type { Grant } from '#domain/access/grant.ts'
import { openTestApp } from '#tests/support/test-app.ts'
import { tusSender } from '#tests/support/tus-sender.ts'
import { type Disagreement, askWorld } from './run-oracle.ts'
import { noteTeams, type Visitors } from './visitors.ts'
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
  let grants: readonly Grant[] = []
  const member = await app.asViewer()
  const teams = ['apfel', 'done']
  await noteTeams(owner, member, teams)
  const granted = await app.asGranted(() => grants)
  const people = new Map([
    [owner.userId ?? '', 'owner'],
    [member.userId ?? '', 'viewer'],
    [granted.userId ?? '', 'viewer'],
  ])
  const visitors: Visitors = {
    owner,
    // A new list each time: what is decided by one is remembered.
    grant: (given) => (grants = given),
    granted,
    member,
    withToken: app.withToken,
    guest: app.guest,
    held: { roles: [], policies: [] },
    teams,
  }
  const builder = { owner, sender: tusSender(await app.listen(), owner), people }
  return { askWorld: (seed) => askWorld(builder, visitors, seed), close: app.close }
}
