import { randomFrom } from '#tests/access-oracle/generate/random.ts'
import type { S3Fault, S3Server } from '#tests/support/files/s3-server.ts'
import { type OwnPostgres, startPostgres } from '#tests/support/database/postgres-server.ts'
import { addressOver, openTcpProxy, type TcpProxy, type WireState } from '#tests/support/server/tcp-proxy.ts'
import { type Outage, surviveOutage } from './survive-outage.ts'
import { type TestEnvironment, openEnvironment, ownerAt } from '#tests/attack/environments.ts'
import { workersOf, createCollections } from '#tests/attack/workload/workers.ts'
import { openLedger } from '#tests/attack/workload/ledger.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'

const ON = 'PostgreSQL + S3'

/** The database and the storage become unavailable and recover. */
export const outageTrials: readonly Trial[] = [
  { name: 'database outage', environment: ON, run: withoutDatabase },
  { name: 'storage outage', environment: ON, run: withoutStorage },
]

/**
 * Maximum response time in ms: a queued read and the read itself (30 s each), or a write (60 s), plus the timeout of a
 * silent connection.
 */
const LONGEST_MS = 70_000

const ROUNDS = 4

async function withoutDatabase(run: TrialRun): Promise<Findings> {
  // Acknowledged changes must survive a crash of the database.
  const postgres = await startPostgres({ synchronous_commit: 'on' })
  const wire = await openTcpProxy(Number(new URL(postgres.url).port))
  const drop = async (): Promise<void> => {
    await wire.close()
    await postgres.stop()
  }
  const environment = await openEnvironment(ON, { database: { url: addressOver(wire, postgres.url), drop } })
  return work(environment, run, run.isLong ? times(ROUNDS, databaseOutages(postgres, wire)) : shortOf(postgres, wire))
}

const shortOf = (postgres: OwnPostgres, wire: TcpProxy): readonly Outage[] => [
  crashed(postgres, 500),
  wired(wire, 'cut', 1500),
]

const databaseOutages = (postgres: OwnPostgres, wire: TcpProxy): readonly Outage[] => [
  crashed(postgres, 0),
  crashed(postgres, 5000),
  wired(wire, 'cut', 1500),
  wired(wire, 'slow', 3000),
  wired(wire, 'silent', 2000),
  wired(wire, 'silent', 15_000),
]

/** The database process crashes and restarts. */
const crashed = (postgres: OwnPostgres, lastsMs: number): Outage => ({
  name: `the database crashes and is back after ${lastsMs} ms`,
  begin: postgres.crash,
  end: postgres.startAgain,
  isReported: true,
  lastsMs,
})

/** The connection to the database is faulty. */
const wired = (wire: TcpProxy, state: WireState, lastsMs: number): Outage => ({
  name: `the connections to the database are ${state} for ${lastsMs} ms`,
  begin: () => wire.become(state),
  end: () => wire.become('sound'),
  isReported: state === 'cut' || (state === 'silent' && lastsMs > 5000),
  lastsMs,
})

async function withoutStorage(run: TrialRun): Promise<Findings> {
  const environment = await openEnvironment(ON)
  const { store } = environment
  if (!store) throw new Error('This environment has no storage.')
  const all = run.isLong ? times(ROUNDS, storageOutages(store)) : storageOutages(store).slice(0, 2)
  return work(environment, run, all)
}

const storageOutages = (store: S3Server): readonly Outage[] => [
  faultyStorage(store, 'fail', { lastsMs: 1500, isReported: true }),
  faultyStorage(store, 'hang-up', { lastsMs: 1500, isReported: true }),
  faultyStorage(store, 'refuse', { lastsMs: 1500, isReported: true }),
  faultyStorage(store, 'cut', { lastsMs: 1500, isReported: false }),
  faultyStorage(store, 'stall', { lastsMs: 3000, isReported: false }),
  faultyStorage(store, 'silent', { lastsMs: 3000, isReported: false }),
  faultyStorage(store, 'silent', { lastsMs: 20_000, isReported: true }),
]

const faultyStorage = (
  store: S3Server,
  how: NonNullable<ReturnType<S3Fault>>,
  rest: Pick<Outage, 'lastsMs' | 'isReported'>,
): Outage => ({
  name: `the storage does “${how}” for ${rest.lastsMs} ms`,
  begin: () => store.misbehave(() => how),
  end: () => store.misbehave(undefined),
  ...rest,
})

const times = (count: number, outages: readonly Outage[]): readonly Outage[] =>
  Array.from({ length: count }, () => outages).flat()

async function work(
  environment: TestEnvironment,
  { seed, say }: TrialRun,
  outages: readonly Outage[],
): Promise<Findings> {
  const ledger = openLedger()
  const users = workersOf({ ledger, draw: randomFrom(seed) }, { mortal: true })
  try {
    const server = await environment.start()
    await createCollections(await ownerAt(server))
    const stats = await surviveOutage({ server, users, ledger, longestMs: LONGEST_MS }, outages)
    await ledger.compareEverything(await ownerAt(server))
    say(`${stats.unavailableCount} responses with 503; longest response ${Math.round(stats.longestMs)} ms`)
    const broken = [...ledger.broken, ...stats.broken]
    const load = `${users.length} clients, longest response ${(stats.longestMs / 1000).toFixed(1)} s`
    return { faults: outages.length, ...ledger.counts, serverErrors: stats.serverErrors, load, broken }
  } finally {
    await environment.close()
  }
}
