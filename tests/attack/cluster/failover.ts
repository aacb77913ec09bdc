import { setTimeout as pause } from 'node:timers/promises'
import type { StartedServer } from '#tests/support/server/started-server.ts'
import { type Client, demand } from '#tests/attack/workload/client.ts'
import { ownerAt } from '#tests/attack/environments.ts'
import type { TrialRun } from '#tests/attack/trial.ts'

const PARCELS = '/api/collections/parcels'

/** Enough records for an index, and more than an immediate change allows, so that the change becomes a job. */
const RECORDS = 40_000

/** Abandoned work is picked up every minute; the rest is a margin for a busy machine. */
const TAKEN_OVER_WITHIN_MS = 240_000

/** At least two processes, and how to restart one. */
export type Instances = {
  readonly servers: StartedServer[]
  readonly start: (at: number) => Promise<StartedServer>
}

/** Background work runs in one process; when it is killed, another continues. Returns findings. */
export async function checkFailover(instances: Instances, { say }: Pick<TrialRun, 'say'>): Promise<readonly string[]> {
  const broken: string[] = []
  const owners = await Promise.all(instances.servers.map((server) => ownerAt(server)))
  const [one, other] = owners
  if (!one || !other) return []
  await createParcels(one)
  await importAll(one)
  broken.push(...(await indexOnce(owners)))
  for (const [name, act] of ACTS) {
    const begun = performance.now()
    broken.push(...(await act(instances, other)).map((sentence) => `${name}: ${sentence}`))
    say(`${name}: taken over after ${Math.round((performance.now() - begun) / 1000)} s`)
    instances.servers[0] = await instances.start(0)
  }
  return broken
}

async function createParcels({ ask }: Client): Promise<void> {
  const fields = ['code', 'status'].map((name) => ({ name, label: name, kind: 'text' }))
  const size = { name: 'size', label: 'size', kind: 'number' }
  demand(await ask('POST', '/api/collections', { name: 'parcels', label: 'Parcels', fields: [...fields, size] }), 201)
}

const beginImport = async ({ ask }: Client, status: string): Promise<string> => {
  const rows = Array.from({ length: RECORDS }, (_, at) => `${at},${status},${(at * 7919) % RECORDS}`)
  return demand(await ask('POST', `${PARCELS}/imports`, `code,status,size\n${rows.join('\n')}\n`), 202).body.id
}

const BUSY: readonly unknown[] = ['ready', 'running', 'undoing']

async function importAll(client: Client): Promise<void> {
  const id = await beginImport(client, 'open')
  await until(async () => !BUSY.includes(demand(await client.ask('GET', `/api/imports/${id}`), 200).body.state))
}

/** Waits for a condition; returns whether it became true. */
async function until(isSo: () => Promise<boolean>, withinMs = TAKEN_OVER_WITHIN_MS): Promise<boolean> {
  const endsAt = performance.now() + withinMs
  while (performance.now() < endsAt) {
    if (await isSo()) return true
    await pause(20)
  }
  return false
}

const count = async ({ ask }: Client, filter: string): Promise<number> =>
  demand(await ask('GET', `${PARCELS}/records?count=exact&perPage=1&filter=${encodeURIComponent(filter)}`), 200).body
    .total

const indexesOf = async ({ ask }: Client) => demand(await ask('GET', `${PARCELS}/indexes`), 200).body.items as Index[]

type Index = { readonly state: string; readonly sorts: readonly string[] }

/** All processes request the same index concurrently, and one of them builds it. */
async function indexOnce(owners: readonly Client[]): Promise<readonly string[]> {
  const [one] = owners
  if (!one) return []
  const isThere = await until(async () => {
    await Promise.all(owners.map(({ ask }) => ask('GET', `${PARCELS}/records?sort=-size&perPage=50`)))
    return (await indexesOf(one)).some(({ state }) => state === 'ready')
  })
  const found = await indexesOf(one)
  return isThere && found.length === 1 ? [] : [`the requested indexes are ${JSON.stringify(found)}`]
}

type Act = (instances: Instances, otherInstance: Client) => Promise<readonly string[]>

const ACTS: readonly (readonly [string, Act])[] = [
  ['a job', jobContinues],
  ['an import', importIsUndone],
]

async function jobContinues({ servers: [first] }: Instances, otherInstance: Client): Promise<readonly string[]> {
  if (!first) return []
  const owner = await ownerAt(first)
  const change = { where: { filter: 'status = "open"' }, update: { values: { status: 'sent' } } }
  const { job } = demand(await owner.ask('POST', `${PARCELS}/records/bulk`, change), 202).body
  const read = async () => demand(await otherInstance.ask('GET', `/api/jobs/${job}`), 200).body
  await until(async () => (await read()).done > 0)
  const { done } = await read()
  await first.kill()
  await until(async () => (await read()).state !== 'running')
  const end = await read()
  const sent = await count(otherInstance, 'status = "sent"')
  if (end.state === 'done' && end.done === RECORDS && sent === RECORDS && done < RECORDS) return []
  return [`after ${done} of ${RECORDS} it was killed; it ended as ${JSON.stringify(end)} with ${sent} changed`]
}

async function importIsUndone({ servers: [first] }: Instances, otherInstance: Client): Promise<readonly string[]> {
  if (!first) return []
  const id = await beginImport(await ownerAt(first), 'late')
  const read = async () => demand(await otherInstance.ask('GET', `/api/imports/${id}`), 200).body
  await until(async () => (await read()).progress?.rowsStored > 0)
  const before = await read()
  await first.kill()
  await until(async () => !BUSY.includes((await read()).state))
  const [end, left] = [await read(), await count(otherInstance, 'status = "late"')]
  if (before.state === 'running' && end.state === 'failed' && left === 0) return []
  return [`${JSON.stringify(before)}, then it was killed; it ended as ${JSON.stringify(end)} with ${left} records`]
}
