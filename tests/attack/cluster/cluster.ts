import { setTimeout as pause } from 'node:timers/promises'
import { type Random, randomFrom } from '#tests/access-oracle/generate/random.ts'
import { type HttpProxy, openHttpProxy } from '#tests/support/server/http-proxy.ts'
import { findFreePort, type StartedServer } from '#tests/support/server/started-server.ts'
import { checkAcrossInstances } from './cross-instance.ts'
import { type Client, UnavailableError } from '#tests/attack/workload/client.ts'
import { type TestEnvironment, openEnvironment, ownerAt } from '#tests/attack/environments.ts'
import type { Worker } from '#tests/attack/workload/worker.ts'
import { workersOf, createCollections } from '#tests/attack/workload/workers.ts'
import { openLedger } from '#tests/attack/workload/ledger.ts'
import { unexplainedRecords } from '#tests/attack/workload/office-workers.ts'
import { checkFailover } from './failover.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'
import { newResponseStats, type ResponseStats, tell, watched } from '#tests/attack/workload/watched-client.ts'

const SIZES = [2, 3]

const KILLS = { long: 15, short: 2 }

/** Kills happen at a random time within this duration after the last recovery. */
const LATEST_KILL_MS = 2000

/** Maximum time before a killed process is restarted. */
const LONGEST_AWAY_MS = 1500

/** Several processes on one database and storage, behind a round-robin proxy. */
export const clusterTrials: readonly Trial[] = SIZES.map((size) => ({
  name: 'more than one process',
  environment: `PostgreSQL + S3, ${size} processes`,
  run: (run) => workTogether(size, run),
}))

/** Processes of one installation, each with its own URL. */
type Cluster = {
  readonly proxy: HttpProxy
  readonly servers: StartedServer[]
  readonly start: (at: number) => Promise<StartedServer>
}

async function openCluster(environment: TestEnvironment, size: number): Promise<Cluster> {
  const ports = await Promise.all(Array.from({ length: size }, findFreePort))
  const proxy = await openHttpProxy(ports)
  const start = (at: number) => environment.start({ port: ports[at] ?? 0, env: { DOSSIER_URL: proxy.url } })
  return { proxy, servers: [], start }
}

async function workTogether(size: number, run: TrialRun): Promise<Findings> {
  const environment = await openEnvironment('PostgreSQL + S3')
  const ledger = openLedger()
  const draw = randomFrom(run.seed)
  const stats = newResponseStats()
  const kills = run.isLong ? KILLS.long : KILLS.short
  const cluster = await openCluster(environment, size)
  const { proxy, servers, start } = cluster
  try {
    // All processes start at the same time, on an empty database.
    servers.push(...(await Promise.all(Array.from({ length: size }, (_, at) => start(at)))))
    await createCollections(await ownerAt(proxy))
    const urls = () => servers.map(({ url }) => url)
    const before = await checkAcrossInstances(urls(), run)
    const users = workersOf({ ledger, draw }, { mortal: true })
    await workDuring({ cluster, users, stats }, () => killInTurn(cluster, draw, kills))
    await ledger.compareEverything(await ownerAt(proxy))
    // All processes have the same data; a short run queries them in turn through the proxy.
    if (run.isLong) for (const server of servers) await ledger.compareEverything(await ownerAt(server))
    const unknown = await unexplainedRecords(await ownerAt(proxy), ledger.knows)
    const after = run.isLong ? await checkFailover(cluster, run) : []
    const ill = await examine(servers)
    run.say(`${proxy.unanswered()} requests had reached a killed process and may be repeated`)
    const broken = [...before, ...ledger.broken, ...stats.broken, ...unknown, ...after, ...ill]
    const load = `${users.length} clients, ${proxy.unanswered()} requests unanswered`
    return { faults: kills, ...ledger.counts, serverErrors: stats.serverErrors, load, broken }
  } finally {
    await proxy.close()
    await environment.close()
  }
}

type Working = { readonly cluster: Cluster; readonly users: readonly Worker[]; readonly stats: ResponseStats }

/** Runs all workers against the proxy until another task ends. */
async function workDuring({ cluster, users, stats }: Working, until: () => Promise<void>): Promise<void> {
  const client: Client = watched(await ownerAt(cluster.proxy), stats)
  let isOver = false
  const onWorkError = async (error: unknown): Promise<void> => {
    if (!(error instanceof UnavailableError) && !isBrokenOff(error)) tell(stats, String(error))
    await pause(20)
  }
  const work = async (worker: Worker): Promise<void> => {
    while (!isOver) await worker(client).then(undefined, onWorkError)
  }
  const working = users.map((worker) => work(worker))
  await until().finally(() => (isOver = true))
  await Promise.all(working)
}

/** A response that had started when its process died is cut off. */
const isBrokenOff = (error: unknown): boolean => error instanceof TypeError && error.cause !== undefined

async function killInTurn({ servers, start }: Cluster, draw: Random, kills: number): Promise<void> {
  for (let killed = 0; killed < kills; killed += 1) {
    await pause(draw.below(LATEST_KILL_MS))
    const at = draw.below(servers.length)
    const server = servers[at]
    if (!server) return
    // Every third kill is a graceful stop, as for an upgrade.
    if (killed % 3 === 2) await server.stop()
    else await server.kill()
    await pause(draw.below(LONGEST_AWAY_MS))
    servers[at] = await start(at)
  }
}

async function examine(servers: readonly StartedServer[]): Promise<readonly string[]> {
  const [first] = servers
  if (!first) return []
  return first.command('doctor').then(
    () => [],
    ({ stdout }: { readonly stdout: string }) => [`doctor reports: ${stdout}`],
  )
}
