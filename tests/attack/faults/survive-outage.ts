import { setTimeout as pause } from 'node:timers/promises'
import type { StartedServer } from '#tests/support/server/started-server.ts'
import { type Client, clientAt, UnavailableError } from '#tests/attack/workload/client.ts'
import { ownerAt } from '#tests/attack/environments.ts'
import type { Worker } from '#tests/attack/workload/worker.ts'
import type { Ledger } from '#tests/attack/workload/ledger.ts'
import { newResponseStats, type ResponseStats, tell, watched } from '#tests/attack/workload/watched-client.ts'

/** A period in which a dependency of the server is unavailable or faulty. */
export type Outage = {
  readonly name: string
  readonly begin: () => Promise<void> | void
  readonly end: () => Promise<void> | void
  readonly isReported: boolean
  readonly lastsMs: number
}

/** The server, and the workers that run during the outages. */
export type OutageExpectation = {
  readonly server: StartedServer
  readonly users: readonly Worker[]
  readonly ledger: Ledger
  readonly longestMs: number
}

/** Duration of work before and after each outage, in ms. */
const WORK_AROUND_MS = 600

/** Time limit for recovery after an outage, in ms. */
const BACK_WITHIN_MS = 20_000

/** Time limit for the health check on a busy machine, in ms. */
const ALIVE_WITHIN_MS = 5000

/** Time limit until the server reports that it is not ready, in ms. */
const REPORTED_WITHIN_MS = 12_000

/** Runs all workers through each outage, and then compares acknowledged operations with stored data. */
export async function surviveOutage(
  expectation: OutageExpectation,
  outages: readonly Outage[],
): Promise<ResponseStats> {
  const { server, ledger, longestMs } = expectation
  const stats = newResponseStats()
  for (const outage of outages) {
    const before = stats.longestMs
    stats.longestMs = 0
    await surviveOne(expectation, outage, stats)
    if (stats.longestMs > longestMs) {
      tell(stats, `${outage.name}: a response took ${Math.round(stats.longestMs)} ms`)
    }
    stats.longestMs = Math.max(before, stats.longestMs)
    await ledger.compareNew(await ownerAt(server))
  }
  return stats
}

async function surviveOne({ server, users }: OutageExpectation, outage: Outage, stats: ResponseStats): Promise<void> {
  const enter = async () => watched(await ownerAt(server), stats)
  let client = await enter()
  // All clients share one pending sign-in, like the tabs of a browser.
  let entering: Promise<Client> | undefined
  const signInAgain = async (): Promise<void> => {
    entering ??= enter().finally(() => (entering = undefined))
    client = await entering
  }
  let isOver = false
  const onWorkError = async (error: unknown): Promise<void> => {
    if (!(error instanceof UnavailableError)) tell(stats, `${outage.name}: ${String(error)}`)
    else if (error.isExpired) await signInAgain()
    await pause(100)
  }
  const work = async (worker: Worker): Promise<void> => {
    while (!isOver) await worker(client).then(undefined, onWorkError)
  }
  const working = users.map((worker) => work(worker))
  await watchOutage(server.url, outage, stats).finally(() => (isOver = true))
  await Promise.all(working)
}

async function watchOutage(url: string, outage: Outage, stats: ResponseStats): Promise<void> {
  await pause(WORK_AROUND_MS)
  await outage.begin()
  await Promise.all([watchOver(url, outage, stats), pause(outage.lastsMs)])
  await outage.end()
  const backAt = await untilReady(clientAt(url))
  if (backAt > BACK_WITHIN_MS) tell(stats, `${outage.name}: the server was not ready until ${Math.round(backAt)} ms`)
  await pause(WORK_AROUND_MS)
}

/** Checks that the server stays alive during an outage and, if `isReported` is set, reports that it isn't ready. */
async function watchOver(url: string, { name, isReported }: Outage, stats: ResponseStats): Promise<void> {
  const { ask } = clientAt(url)
  const requestedAt = performance.now()
  const { status: alive } = await ask('GET', '/api/health')
  const tookMs = performance.now() - requestedAt
  if (alive !== 200 || tookMs > ALIVE_WITHIN_MS)
    tell(stats, `${name}: alive is ${alive} after ${Math.round(tookMs)} ms`)
  if (!isReported) return
  while ((await ask('GET', '/api/ready')).status !== 503) {
    if (performance.now() - requestedAt > REPORTED_WITHIN_MS)
      return tell(stats, `${name}: the server reports that it is ready`)
    await pause(50)
  }
  const reportedMs = performance.now() - requestedAt
  if (reportedMs > REPORTED_WITHIN_MS)
    tell(stats, `${name}: the server reported that it is not ready after ${Math.round(reportedMs)} ms`)
}

/** Waits until the server is ready; returns the duration in ms. */
async function untilReady({ ask }: Client): Promise<number> {
  const startedAt = performance.now()
  const took = () => performance.now() - startedAt
  while ((await ask('GET', '/api/ready')).status !== 200 && took() < 2 * BACK_WITHIN_MS) await pause(50)
  return took()
}
