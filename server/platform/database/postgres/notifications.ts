import { setTimeout as pause } from 'node:timers/promises'
import { Client, escapeLiteral, type Pool } from 'pg'

import { type ClusterListener, type Database, parseCommitSnapshot } from '#server/platform/database/database.ts'
import { databaseUnavailable } from '#server/platform/database/errors/database-errors.ts'
import { withTimeLimit } from '#server/platform/database/time-limits.ts'

/** Everything is told here; a name of PostgreSQL's, valid within one database. */
const CHANNEL = 'dossier'

/** How a connection that broke is tried again, in ms: at once, then less and less often. */
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 5000

/** A connection of which nothing is left but our end looks alive, so it is asked now and then, in ms. */
const PING_INTERVAL_MS = 10_000
const PING_TIMEOUT_MS = 5000

const CONNECT_TIMEOUT_MS = 5000

/** Whoever reads what is kept waits no longer to hear what others did, in ms. */
const CATCH_UP_TIMEOUT_MS = 1000

/** How often those are looked for that began to write before this process listened, in ms. */
const WRITER_POLL_MS = 100

/** By this name of its connection a process is known to listen. */
const listenerName = (ownName: string): string => `dossier listens ${ownName}`

/** All such names, for `like`. */
export const LISTENER_NAMES = listenerName('%')

/**
 * The statement that tells the others something with the commit of its transaction. Where nobody else listens nothing is
 * told: commits that tell something wait for one another's disk, which more than halves what eight writers get through.
 */
export const notifyStatement = (ownName: string, message: string): string =>
  `select pg_notify('${CHANNEL}', ${escapeLiteral(`${ownName} ${message}`)}) where ${hasOtherListeners(ownName)}`

const hasOtherListeners = (ownName: string): string => `exists (
    select from pg_stat_get_activity(null) where application_name like '${LISTENER_NAMES}'
    and application_name <> '${listenerName(ownName)}'
    and datid = (select oid from pg_database where datname = current_database())
  )`

/** What listening needs. */
type ListenerDeps = {
  readonly url: string
  /** By what the others know this process; what bears it is its own and not heard. */
  readonly ownName: string
  readonly neighbours: ClusterListener
}

/** The connection that listens at this moment, and whether there is anybody to be heard, as far as is known. */
type ListenerConnection = { client: Client | undefined; hasOthers: boolean }

type ListenerState = ListenerDeps & { readonly ear: ListenerConnection; readonly signal: AbortSignal }

type ClusterDeps = Omit<ListenerDeps, 'neighbours'> & { readonly pool: Pool }

/** How a database hears what other processes tell. */
export function createClusterNotifications({
  pool,
  ...place
}: ClusterDeps): Pick<Database, 'hearOthers' | 'hasOthers' | 'catchUp'> {
  let listening: Listening | undefined
  return {
    hasOthers: async () => {
      const { rows } = await pool.query<{ others: boolean }>(`select ${hasOtherListeners(place.ownName)} as others`)
      return rows[0]?.others === true
    },
    hearOthers: async (neighbours) => {
      listening = await startListener({ ...place, neighbours })
      return listening.stop
    },
    catchUp: () => listening?.catchUp() ?? Promise.resolve(),
  }
}

type Listening = Pick<Database, 'catchUp'> & { readonly stop: () => Promise<void> }

/**
 * Listens on a connection of its own. Whenever it begins to listen, and whenever it notices that it does not, something
 * may have been missed. Answers after the first try, whether it reached PostgreSQL or not.
 */
async function startListener(deps: ListenerDeps): Promise<Listening> {
  const stopping = new AbortController()
  const firstTry = Promise.withResolvers<void>()
  const ear: ListenerConnection = { client: undefined, hasOthers: false }
  const listening = listenWithReconnect({ ...deps, ear, signal: stopping.signal }, firstTry.resolve)
  await firstTry.promise
  const askAnything = sharedNext(async () => {
    // What was told before this is answered comes before the answer. One that does not come is no reason to wait: all is dropped then.
    const asked = ear.client?.query('select 1').then(() => undefined) ?? Promise.resolve()
    await withTimeLimit(asked, { limitMs: CATCH_UP_TIMEOUT_MS, error: databaseUnavailable }).catch(() => undefined)
  })
  return {
    catchUp: () => (ear.hasOthers ? askAnything() : Promise.resolve()),
    stop: async () => {
      stopping.abort()
      await listening
    },
  }
}

/** Work that several wait for: whoever comes while it is under way shares the next one, which begins after they came. */
function sharedNext(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined
  let next: Promise<void> | undefined
  const begin = (): Promise<void> => {
    next = undefined
    underWay = work().finally(() => (underWay = undefined))
    return underWay
  }
  return () => {
    if (underWay === undefined) return begin()
    next ??= underWay.then(begin)
    return next
  }
}

async function listenWithReconnect(deps: ListenerState, hasTried: () => void): Promise<void> {
  const { signal } = deps
  let pauseMs = FIRST_PAUSE_MS
  while (!signal.aborted) {
    const begins = (): void => {
      pauseMs = FIRST_PAUSE_MS
      hasTried()
    }
    await listenOnce(deps, begins)
    hasTried()
    if (signal.aborted) return
    deps.neighbours.missed()
    await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
  }
}

/** Listens until the connection breaks or the signal says to end; never rejects. */
async function listenOnce(deps: ListenerState, begins: () => void): Promise<void> {
  const { ear, signal } = deps
  const client = new Client({
    connectionString: deps.url,
    application_name: listenerName(deps.ownName),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  const over = Promise.withResolvers<void>()
  client.on('error', () => over.resolve())
  client.on('end', () => over.resolve())
  client.on('notification', ({ payload = '' }) => handleNotification(deps, payload))
  const timer = setInterval(
    () => void isConnectionAlive(client, deps).then((is) => is || over.resolve()),
    PING_INTERVAL_MS,
  ).unref()
  const stop = (): void => over.resolve()
  signal.addEventListener('abort', stop)
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    await isConnectionAlive(client, deps)
    ear.client = client
    const before = await activeWriters(client)
    // What was committed before is there to be read now, and what begins later is told.
    deps.neighbours.missed()
    begins()
    if (!signal.aborted) await Promise.race([over.promise, awaitWriters(client, before, deps.neighbours)])
    if (!signal.aborted) await over.promise
  } catch {
    // The next try follows.
  } finally {
    ear.client = undefined
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
    await withTimeLimit(client.end(), { limitMs: PING_TIMEOUT_MS, error: databaseUnavailable }).catch(() => undefined)
  }
}

type WriterSnapshot = { readonly snapshot: string; readonly own: string }

/** What PostgreSQL shows at this moment, and a number behind those of all transactions that have written so far. */
async function takeWriterSnapshot(client: Client): Promise<WriterSnapshot> {
  const { rows } = await client.query<WriterSnapshot>(
    'select pg_current_snapshot()::text as snapshot, pg_current_xact_id()::text as own',
  )
  return rows[0] ?? { snapshot: '', own: '0' }
}

/** Transactions that write and may not have ended yet: some of them may have found nobody to tell. */
async function activeWriters(client: Client): Promise<readonly bigint[]> {
  const { snapshot, own } = await takeWriterSnapshot(client)
  const [, end = '0', underWay = ''] = snapshot.split(':')
  const writers = underWay === '' ? [] : underWay.split(',').map(BigInt)
  for (let writer = BigInt(end); writer < BigInt(own); writer += 1n) writers.push(writer)
  return writers
}

/** Says that something may have been missed whenever one of these writers ended. */
async function awaitWriters(client: Client, writers: readonly bigint[], { missed }: ClusterListener): Promise<void> {
  for (let underWay = writers; underWay.length > 0; ) {
    await pause(WRITER_POLL_MS, undefined, { ref: false })
    const { rows } = await client.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
    const view = parseCommitSnapshot(rows[0]?.snapshot ?? '')
    const still = underWay.filter((writer) => !view.includes(writer))
    if (still.length < underWay.length) missed()
    underWay = still
  }
}

/** Whether the connection answers; it is asked whether anybody else listens. */
const isConnectionAlive = (client: Client, { ownName, ear }: ListenerState): Promise<boolean> =>
  withTimeLimit(client.query<{ others: boolean }>(`select ${hasOtherListeners(ownName)} as others`), {
    limitMs: PING_TIMEOUT_MS,
    error: databaseUnavailable,
  }).then(
    ({ rows }) => {
      ear.hasOthers = rows[0]?.others === true
      return true
    },
    () => false,
  )

function handleNotification({ ownName, neighbours, ear }: ListenerState, payload: string): void {
  const [sender = '', ...words] = payload.split(' ')
  if (sender === ownName) return
  ear.hasOthers = true
  neighbours.heard(words.join(' '))
}
