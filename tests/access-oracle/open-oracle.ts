import type { Grant } from '#domain/access/grant.ts'
import { upload as uploadCsv } from '#tests/conformance/csv-import.ts'
import { type Caller, openTestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'
import type { Foreign } from './requests/request.ts'
import { type Requested, askWorld } from './run-oracle.ts'
import { emailsOf, makeCandidate, setTeamAttributes, type Visitors } from './world/visitors.ts'
import { NOW } from './world/world.ts'

export type Oracle = {
  readonly askWorld: (seed: number) => Promise<Requested>
  readonly doors: readonly string[]
  readonly close: () => Promise<void>
}

/** Low enough that some collections exceed the limit and use a job, and others don't. */
const CONVERTED_AT_ONCE = 10

export async function openOracle(): Promise<Oracle> {
  const app = await openTestApp({ convertedAtOnce: CONVERTED_AT_ONCE })
  app.clock.set(NOW)
  const owner = await app.asOwner()
  let grants: readonly Grant[] = []
  const member = await app.asViewer()
  const teams = ['apfel', 'done']
  await setTeamAttributes(owner, member, teams)
  const granted = await app.asGranted(() => grants)
  const people = new Map([
    [owner.userId ?? '', 'owner'],
    [member.userId ?? '', 'viewer'],
    [granted.userId ?? '', 'viewer'],
  ])
  const sender = tusSender(await app.listen(), owner)
  const candidate = await makeCandidate(owner, await app.asViewer())
  people.set(candidate.user, 'viewer')
  const visitors: Visitors = {
    owner,
    candidate,
    emails: await emailsOf(owner),
    // Creates a new list each time, because decisions are cached by identity.
    grant: (given) => (grants = given),
    granted,
    member,
    withToken: app.withToken,
    guest: app.guest,
    foreign: await beginForeign(owner, sender),
    clock: app.clock,
    held: { roles: [], policies: [] },
    teams,
  }
  const builder = { owner, people }
  const doors = app.routes.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  return { askWorld: (seed) => askWorld(builder, visitors, seed), doors, close: app.close }
}

async function beginForeign(owner: Caller, sender: TusSender): Promise<Foreign> {
  const name = 'foreign'
  const fields = [
    { name: 'title', label: 'Title', kind: 'text' },
    { name: 'files', label: 'Files', kind: 'files' },
  ]
  await owner.post('/api/collections', { name, label: 'Foreign', fields })
  const create = Array.from({ length: CONVERTED_AT_ONCE + 1 }, () => ({ values: { title: 'x' } }))
  await owner.post(`/api/collections/${name}/records/bulk`, { create })
  const { body } = await owner.patch(`/api/collections/${name}/fields/title`, { kind: 'long-text' })
  const upload = await sender.begin({ collection: name, field: 'files' }, 5)
  const imported = await uploadCsv(owner, 'title\nx')
  if (body.job === undefined || imported.body.id === undefined) throw new Error('The oracle could not begin anything.')
  return { job: body.job, imported: imported.body.id, upload }
}
