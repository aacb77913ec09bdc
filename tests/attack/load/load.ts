import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { metricsOfLatencies } from '../../../bench/client/load.ts'
import { cpuMsOf, memoryOf } from '../../../bench/report/process-metrics.ts'
import type { StartedServer } from '#tests/support/server/started-server.ts'
import { clientAt, signIn } from '#tests/attack/workload/client.ts'
import {
  ENVIRONMENTS,
  type TestEnvironment,
  type EnvironmentName,
  openEnvironment,
  OWNER,
  ownerAt,
} from '#tests/attack/environments.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'
import type { ClientsReport, ClientsTask } from './run-clients.ts'
import { createTeamData, makeMembers, makeRole } from './team.ts'
import { KINDS } from './team-workload.ts'

/** Team size, data size and duration. */
type LoadPlan = Pick<ClientsTask, 'seconds' | 'thinkMs'> & {
  readonly clients: number
  readonly records: number
  /** Whether the run is long enough to measure memory growth. */
  readonly measuresMemory: boolean
}

const LONG: LoadPlan = {
  clients: 200,
  records: 100_000,
  seconds: 600,
  thinkMs: { least: 300, most: 2000 },
  measuresMemory: true,
}
const SHORT: LoadPlan = {
  clients: 20,
  records: 2000,
  seconds: 8,
  thinkMs: { least: 100, most: 400 },
  measuresMemory: false,
}

/** Simulates a team at work: every request succeeds, nothing is lost, and memory doesn't grow. */
export const loadTrials: readonly Trial[] = ENVIRONMENTS.map((environment) => ({
  name: 'load',
  environment,
  run: (run) => holdLoad(environment, run.isLong ? LONG : SHORT, run),
}))

/** Runs a team's workload in an environment and reports the result. */
async function holdLoad(name: EnvironmentName, plan: LoadPlan, run: TrialRun): Promise<Findings> {
  const environment = await openEnvironment(name)
  try {
    const emails = await prepare(environment, plan)
    const server = await startMeasured(environment)
    const team = { url: server.url, tokens: await tokensOf(server, emails) }
    const { token: ownerToken } = await signIn(clientAt(server.url), OWNER.email, OWNER.password)
    const { seconds, thinkMs } = plan
    const working = runClients({ ...team, ownerToken, seconds, thinkMs, seed: run.seed })
    const used = watchServer(server, seconds)
    await delaysOf(server)
    const figures = { ...(await used), ...(await delaysOf(server)) }
    const report = await working
    for (const line of tableOf(report, plan, figures)) run.say(line)
    await server.stop()
    return findingsOf(report, plan, figures)
  } finally {
    await environment.close()
  }
}

async function prepare(environment: TestEnvironment, { records, clients }: LoadPlan): Promise<readonly string[]> {
  const server = await environment.start()
  const owner = await ownerAt(server)
  await createTeamData(owner, records)
  const role = await makeRole(owner)
  await server.stop()
  return makeMembers(environment, role, clients)
}

const PROBE = new URL('../../../bench/setup/event-loop-probe.ts', import.meta.url).href

/** The production build, started as with `npm start`, with an event-loop probe. */
const startMeasured = (environment: TestEnvironment): Promise<StartedServer> =>
  environment.start({
    program: ['--max-semi-space-size=8', `--import=${PROBE}`, 'dist/server/main.js'],
    env: { MALLOC_ARENA_MAX: '2' },
  })

async function tokensOf({ url }: StartedServer, emails: readonly string[]): Promise<readonly string[]> {
  const tokens: string[] = []
  // Signs in sequentially, because twenty concurrent sign-ins from one address would be throttled.
  for (const email of emails) tokens.push((await signIn(clientAt(url), email, OWNER.password)).token)
  return tokens
}

async function runClients(task: ClientsTask): Promise<ClientsReport> {
  const child = fork(new URL('./run-clients.ts', import.meta.url), { execArgv: [] })
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const [answer, failed] = [once(child, 'message'), once(child, 'exit')]
  child.send(task)
  // The process sends exactly one report unless it fails.
  const [report] = (await Promise.race([answer, failed.then(([code]) => [Number(code)])])) as [ClientsReport | number]
  process.removeListener('exit', endWithUs)
  if (typeof report === 'number') throw new Error(`The clients ended with ${report} and no report.`)
  await failed
  return report
}

type Delays = { readonly p99Ms: number; readonly maxMs: number }

/** Maximum event-loop delay of a server since the last call. */
async function delaysOf({ pid, printed }: StartedServer): Promise<Delays> {
  const before = printed().length
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    await pause(20)
    const reported = /event-loop p99 ([\d.]+) max ([\d.]+)/.exec(printed().slice(before))
    if (reported) return { p99Ms: Number(reported[1]), maxMs: Number(reported[2]) }
  }
}

type Used = {
  readonly atThirdMb: number
  readonly atEndMb: number
  readonly highestMb: number
  readonly processorSeconds: number
}

/**
 * Server memory at the end and after a third of the run, when everything has been used at least once; also CPU time.
 */
async function watchServer({ pid }: StartedServer, seconds: number): Promise<Used> {
  const cpuBefore = cpuMsOf(pid) ?? 0
  await pause((seconds * 1000) / 3)
  const atThirdMb = memoryOf(pid)?.now ?? 0
  await pause((seconds * 1000 * 2) / 3)
  const { now: atEndMb, highest: highestMb } = memoryOf(pid) ?? { now: 0, highest: 0 }
  return { atThirdMb, atEndMb, highestMb, processorSeconds: ((cpuMsOf(pid) ?? 0) - cpuBefore) / 1000 }
}

// ── Report ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Memory growth that counts as a leak, measured from the first third of the run, because caches take a while to fill.
 */
const MAX_GROWTH = { factor: 1.3, megabytes: 30 }

/** Maximum event-loop delay in ms. */
const LONGEST_STALL_MS = 200

type Seen = Delays & Used

const allOf = ({ took }: ClientsReport): number[] => KINDS.flatMap((kind) => took[kind] ?? [])

function findingsOf(report: ClientsReport, { clients, measuresMemory }: LoadPlan, seen: Seen): Findings {
  const { compared, lost, refused, failures } = report
  const { p95, perSecond } = metricsOfLatencies(Float64Array.from(allOf(report)), report.seconds)
  const broken = [
    ...report.broken,
    ...failures.slice(0, 5),
    ...(failures.length > 5 ? [`${failures.length} steps of the team failed`] : []),
    ...(refused > 0 ? [`${refused} ordinary requests were throttled`] : []),
    ...(measuresMemory ? growthOf(seen) : []),
  ]
  return {
    compared,
    lost,
    longestStallMs: seen.maxMs,
    load: `${clients} clients, ${Math.round(perSecond)}/s, p95 ${Math.round(p95)} ms`,
    broken,
  }
}

function growthOf({ atThirdMb, atEndMb, maxMs }: Seen): readonly string[] {
  const most = atThirdMb * MAX_GROWTH.factor + MAX_GROWTH.megabytes
  return [
    ...(atEndMb > most ? [`the server grew from ${Math.round(atThirdMb)} to ${Math.round(atEndMb)} MB`] : []),
    ...(maxMs > LONGEST_STALL_MS ? [`the event loop was blocked for ${Math.round(maxMs)} ms`] : []),
  ]
}

function tableOf(report: ClientsReport, { clients, records }: LoadPlan, seen: Seen): readonly string[] {
  const { seconds, took } = report
  const line = (kind: string, latencies: readonly number[]): string => {
    const { count, p50, p95, p99, max, perSecond } = metricsOfLatencies(Float64Array.from(latencies), seconds)
    const times = [p50, p95, p99, max].map((ms) => ms.toFixed(1).padStart(8))
    return `| ${kind.padEnd(8)} | ${String(count).padStart(7)} | ${perSecond.toFixed(1).padStart(6)} | ${times.join(' | ')} |`
  }
  return [
    `${clients} clients at ${records.toLocaleString('en')} records for ${Math.round(seconds)} s`,
    '| requests |   count |    /s |   p50 ms |   p95 ms |   p99 ms |   max ms |',
    '|----------|--------:|------:|---------:|---------:|---------:|---------:|',
    ...KINDS.flatMap((kind) => (took[kind] === undefined ? [] : [line(kind, took[kind])])),
    line('all', allOf(report)),
    `memory ${Math.round(seen.atThirdMb)} MB after a third, ${Math.round(seen.atEndMb)} MB at the end, ${Math.round(seen.highestMb)} MB at most; the server took ${Math.round(seen.processorSeconds)} s of processor time; event loop late by ${seen.p99Ms} ms (p99), ${seen.maxMs} ms at most; ${report.refused} refused, ${report.failures.length} failed`,
  ]
}
