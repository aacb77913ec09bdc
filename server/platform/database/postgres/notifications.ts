import { setTimeout as pause } from 'node:timers/promises'
import { Client, escapeLiteral, type Pool } from 'pg'
import { type ClusterListener, type Database, parseCommitSnapshot } from '#server/platform/database/database.ts'
import { databaseUnavailable } from '#server/platform/database/database-errors.ts'
import { withTimeLimit } from '#server/platform/database/time-limits.ts'

/** Notification channel; scoped to one database. */
const CHANNEL = 'dossier'

/** Reconnect delays in ms. */
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 5000

/** Interval in ms between checks for half-open connections. */
const PING_INTERVAL_MS = 10_000
const PING_TIMEOUT_MS = 5000

const CONNECT_TIMEOUT_MS = 5000

/** Maximum wait in ms for other processes' messages before a cached read. */
const CATCH_UP_TIMEOUT_MS = 1000

/** Poll interval in ms for writers that started before this process was listening. */
const WRITER_POLL_MS = 100

/** Connection name that identifies a listening process. */
const listenerName = (ownName: string): string => `dossier listens ${ownName}`

/** A `like` pattern that matches all such names. */
export const LISTENER_NAMES = listenerName('%')

/**
 * The statement that notifies other processes on commit. Sends nothing if no process is listening, because PostgreSQL's
 * queue lock serializes commits with notifications, which more than halves the throughput of eight writers.
 */
export const notifyStatement = (ownName: string, message: string): string =>
  `select pg_notify('${CHANNEL}', ${escapeLiteral(`${ownName} ${message}`)}) where ${hasOtherListeners(ownName)}`

const hasOtherListeners = (ownName: string): string => `exists (
    select from pg_stat_get_activity(null) where application_name like '${LISTENER_NAMES}'
    and application_name <> '${listenerName(ownName)}'
    and datid = (select oid from pg_database where datname = current_database())
  )`

type ListenerDeps = {
  readonly url: string
  /** This process's ID, used to ignore its own messages. */
  readonly ownName: string
  readonly otherInstances: ClusterListener
}

type ListenerConnection = { client: Client | undefined; hasOthers: boolean }

type ListenerState = ListenerDeps & { readonly ear: ListenerConnection; readonly signal: AbortSignal }

type ClusterDeps = Omit<ListenerDeps, 'otherInstances'> & { readonly pool: Pool }

export function createClusterNotifications({
  pool,
  ...place
}: ClusterDeps): Pick<Database, 'listenToOthers' | 'hasOthers' | 'catchUp'> {
  let listening: Listening | undefined
  return {
    hasOthers: async () => {
      const { rows } = await pool.query<{ others: boolean }>(`select ${hasOtherListeners(place.ownName)} as others`)
      return rows[0]?.others === true
    },
    listenToOthers: async (otherInstances) => {
      listening = await startListener({ ...place, otherInstances })
      return listening.stop
    },
    catchUp: () => listening?.catchUp() ?? Promise.resolve(),
  }
}

type Listening = Pick<Database, 'catchUp'> & { readonly stop: () => Promise<void> }

/**
 * Listens on a separate connection. Messages may have been missed whenever listening starts or a connection is lost.
 * Resolves after the first connection attempt, whether or not it succeeded.
 */
async function startListener(deps: ListenerDeps): Promise<Listening> {
  const stopping = new AbortController()
  const firstTry = Promise.withResolvers<void>()
  const ear: ListenerConnection = { client: undefined, hasOthers: false }
  const listening = listenWithReconnect({ ...deps, ear, signal: stopping.signal }, firstTry.resolve)
  await firstTry.promise
  const askAnything = sharedNext(async () => {
    // Resolves after all messages sent before this call have arrived. On timeout, all caches are cleared.
    const requested = ear.client?.query('select 1').then(() => undefined) ?? Promise.resolve()
    await withTimeLimit(requested, { limitMs: CATCH_UP_TIMEOUT_MS, error: databaseUnavailable }).catch(() => undefined)
  })
  return {
    catchUp: () => (ear.hasOthers ? askAnything() : Promise.resolve()),
    stop: async () => {
      stopping.abort()
      await listening
    },
  }
}

/** Calls made while `work` is running share one further run, which starts afterwards. */
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
    deps.otherInstances.missed()
    await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
  }
}

/** Listens until the connection is lost or the signal aborts; never rejects. */
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
    // Earlier commits are now visible, and later commits send notifications.
    deps.otherInstances.missed()
    begins()
    if (!signal.aborted) await Promise.race([over.promise, awaitWriters(client, before, deps.otherInstances)])
    if (!signal.aborted) await over.promise
  } catch {
  } finally {
    ear.client = undefined
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
    await withTimeLimit(client.end(), { limitMs: PING_TIMEOUT_MS, error: databaseUnavailable }).catch(() => undefined)
  }
}

type WriterSnapshot = { readonly snapshot: string; readonly own: string }

async function takeWriterSnapshot(client: Client): Promise<WriterSnapshot> {
  const { rows } = await client.query<WriterSnapshot>(
    'select pg_current_snapshot()::text as snapshot, pg_current_xact_id()::text as own',
  )
  return rows[0] ?? { snapshot: '', own: '0' }
}

/** Writers that may still be running; some may not have detected this listener yet. */
async function activeWriters(client: Client): Promise<readonly bigint[]> {
  const { snapshot, own } = await takeWriterSnapshot(client)
  const [, end = '0', underWay = ''] = snapshot.split(':')
  const writers = underWay === '' ? [] : underWay.split(',').map(BigInt)
  for (let writer = BigInt(end); writer < BigInt(own); writer += 1n) writers.push(writer)
  return writers
}

/** Reports possibly missed messages as these writers finish. */
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

function handleNotification({ ownName, otherInstances, ear }: ListenerState, payload: string): void {
  const [sender = '', ...words] = payload.split(' ')
  if (sender === ownName) return
  ear.hasOthers = true
  otherInstances.onMessage(words.join(' '))
}
