import { type Random, randomFrom } from '#tests/access-oracle/generate/random.ts'
import { ENVIRONMENTS, type EnvironmentName, OWNER, openEnvironment, ownerAt } from '#tests/attack/environments.ts'
import { type Client, clientAt, demand, signIn } from '#tests/attack/workload/client.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'
import { type Operation, type Parameter, type Reference, readReference } from './operations.ts'
import { responseError } from './check-response.ts'
import { CASES, type HostileClient, createFixtures, hostileClientsAt } from './fixtures.ts'
import { type Makers, makersFrom } from './hostile-values.ts'
import { startWatched, type WatchedServer } from './watched-server.ts'
import { openRawConnection, type Sent, type RawConnection } from './raw-connection.ts'

const INPUTS = { long: 60_000, short: 600 }
const ROUNDS = 6
const AT_ONCE = 6

/** Maximum event-loop delay in ms. */
const LONGEST_STALL_MS = 200

/** Allowed memory growth in bytes between the first and the last round, for caches, counters and plans. */
const GROWTH_BYTES = 40_000_000

/** Sends hostile input to every endpoint of the OpenAPI document, as every role. */
export const requestTrials: readonly Trial[] = ENVIRONMENTS.map((environment) => ({
  name: 'hostile requests',
  environment,
  run: (run) => tryRequests(environment, run),
}))

type World = {
  readonly draw: Random
  readonly makers: Makers
  readonly reference: Reference
  readonly wire: RawConnection
  readonly guests: readonly HostileClient[]
  /** IDs of all kinds seen in responses. */
  readonly ids: string[]
}

type Tally = { inputs: number; serverErrors: number; readonly broken: string[] }

async function tryRequests(name: EnvironmentName, { isLong, seed, say }: TrialRun): Promise<Findings> {
  const environment = await openEnvironment(name)
  const tally: Tally = { inputs: 0, serverErrors: 0, broken: [] }
  const draw = randomFrom(seed)
  try {
    const server = await startWatched(environment, { DOSSIER_TRUSTED_PROXIES: '127.0.0.1,::1' })
    const owner = await ownerAt(server)
    await createFixtures(owner)
    const world = { draw, makers: makersFrom(draw), wire: openRawConnection(server.url), ids: await idsSeen(owner) }
    const reference = await readReference(owner)
    const perRound = (isLong ? INPUTS.long : INPUTS.short) / ROUNDS
    const looks = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // An owner who sends random requests may have locked users out or changed a password.
      const guests = await hostileClientsAt(server, `r${round}`)
      await tryRound({ ...world, reference, guests }, tally, perRound)
      looks.push(await server.look())
      if (isLong)
        say(`${tally.inputs} inputs, ${looks.at(-1)?.heldBytes} bytes used; broken: ${tally.broken.join('\n')}`)
    }
    world.wire.close()
    tally.broken.push(...(await isHealthy(server)), ...grown(looks.map(({ heldBytes }) => heldBytes)))
    const longestStallMs = Math.max(...looks.map(({ stallMs }) => stallMs))
    if (longestStallMs > LONGEST_STALL_MS) tally.broken.push(`the event loop was busy for ${longestStallMs} ms`)
    return { ...tally, longestStallMs }
  } finally {
    await environment.close()
  }
}

async function tryRound(world: World, tally: Tally, count: number): Promise<void> {
  let left = count
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await tryOne(world, tally)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function tryOne(world: World, tally: Tally): Promise<void> {
  const operation = world.draw.one(world.reference.operations)
  const { name, token } = world.draw.one(world.guests)
  const sent = requestFor(world, operation, token)
  const heard = await world.wire.send(sent)
  tally.inputs += 1
  const fault = responseError(world.reference, operation, { sent, heard })
  if (typeof heard !== 'string' && heard.status === 500) tally.serverErrors += 1
  if (fault !== undefined && tally.broken.length < MAX_REPORTED) tally.broken.push(`${name}: ${shown(sent)} — ${fault}`)
}

const MAX_REPORTED = 40

const shown = ({ method, path, headers, body }: Sent): string => {
  const { authorization: _, ...others } = headers
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(others).slice(0, 200)} ${String(body ?? '').slice(0, 300)}`
}

/** A valid request with one or more errors. */
function requestFor({ draw, makers, ids }: World, operation: Operation, token: string | undefined): Sent {
  const { body, parameters } = operation
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => partOf(name))
  const query = parameters.filter((one) => one.in === 'query' && draw.chance(0.4)).map(queryOf)
  if (draw.chance(0.1)) query.push(`${encodeURIComponent(makers.text().toWellFormed())}=1`)
  if (query[0] !== undefined && draw.chance(0.1)) query.push(query[0])
  const isTypeStrange = draw.chance(0.05)
  const strangeHeader = draw.chance(0.15) ? [makers.header()] : []
  return {
    method: draw.chance(0.02) ? draw.one(['TRACE', 'PROPFIND', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) : operation.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: {
      'x-forwarded-for': `10.${draw.below(256)}.${draw.below(256)}.${draw.below(256)}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': isTypeStrange ? makers.type() : typeOf(body) }),
      ...Object.fromEntries(strangeHeader),
    },
    body: body && (draw.chance(0.08) ? makers.noJson() : makers.spoiled(body.example)),
  }

  function partOf(name: string): string {
    if (draw.chance(0.15)) return makers.addressPart()
    if (name === 'collection' && draw.chance(0.9)) return draw.one(['cases', 'shelves'])
    return draw.one(ids)
  }
  function queryOf({ name, schema, example }: Parameter): string {
    const known = [example, schema?.default, ...(schema?.enum ?? [])].filter((one) => one !== undefined).map(String)
    const validValue = known.length > 0 && draw.chance(0.5) ? draw.one(known) : undefined
    const strange = draw.chance(0.4) ? makers.number() : makers.text()
    return `${name}=${encodeURIComponent((validValue ?? strange).toWellFormed())}`
  }
}

const typeOf = ({ isJson }: NonNullable<Operation['body']>): string =>
  isJson ? 'application/json' : 'application/offset+octet-stream'

/** IDs of all existing objects, to be sent where they don't belong. */
async function idsSeen({ ask }: Client): Promise<string[]> {
  const places = [
    '/api/collections',
    `${CASES}/records`,
    '/api/users',
    '/api/roles',
    '/api/policies',
    `${CASES}/views`,
    '/api/tokens',
  ]
  const texts = await Promise.all(places.map(async (place) => (await ask('GET', place)).text))
  const { user } = demand(await ask('GET', '/api/auth/user'), 200).body
  const found = texts.flatMap((text) => [...text.matchAll(/"id":"([^"]+)"/g)].flatMap(([, id = '']) => id))
  return [...new Set(found)].filter((id) => id !== user.id)
}

/** Whether the server still works. */
async function isHealthy(server: WatchedServer): Promise<readonly string[]> {
  const client = clientAt(server.url)
  const owner = client.as((await signIn(client, OWNER.email, OWNER.password)).token)
  const made = await owner.ask('POST', '/api/collections', {
    label: 'Afterwards',
    fields: [{ label: 'Title', kind: 'text' }],
  })
  const kept = await owner.ask('POST', '/api/collections/afterwards/records', { values: { title: 'as before' } })
  const ready = await client.ask('GET', '/api/ready')
  const isWell = made.status === 201 && kept.status === 201 && ready.status === 200
  const doctor = await server.command('doctor').then(
    () => [],
    ({ stdout }: { readonly stdout: string }) => [`doctor reports: ${stdout}`],
  )
  return [
    ...(isWell ? [] : [`afterwards nothing could be created: ${made.status} ${kept.status} ${ready.status}`]),
    ...doctor,
  ]
}

/** Whether memory grew since the first round, in which everything was used at least once. */
function grown(held: readonly number[]): readonly string[] {
  const [first = 0] = held
  const growth = (held.at(-1) ?? 0) - first
  return growth > GROWTH_BYTES ? [`${growth} bytes more than after the first round`] : []
}
