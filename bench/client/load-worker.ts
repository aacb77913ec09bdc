/** Runs one workload in a worker thread and posts the result. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Load, LoadResult } from './load.ts'
import { openRawConnection, type RawConnection } from './raw-client.ts'

// `runLoad` passes this value.
const load = workerData as Load
const requests = load.requests.map((text) => Buffer.from(text))

const seen = {
  latenciesMs: [] as number[],
  failures: 0,
  firstFailure: undefined as string | undefined,
  next: load.from,
}
const startedAt = performance.now()
const countsFrom = startedAt + load.warmUpMs
const endsAt = countsFrom + load.countedMs
const endsAtLatest = countsFrom + load.longestMs

function isOver(now: number): boolean {
  if (now >= endsAtLatest || seen.failures > 0) return true
  return now >= endsAt && seen.latenciesMs.length >= load.minAnswers
}

function note(status: number, body: () => string): void {
  if (status === load.status) return
  seen.failures += 1
  seen.firstFailure ??= `${status} ${body().slice(0, 300)}`
}

async function runConnection(connection: RawConnection): Promise<void> {
  for (let now = performance.now(); !isOver(now); now = performance.now()) {
    const request = requests[seen.next % requests.length]
    seen.next += 1
    if (!request) return
    const { status, body } = await connection.ask(request)
    note(status, body)
    const end = performance.now()
    if (end >= countsFrom) seen.latenciesMs.push(end - now)
  }
}

const connections = await Promise.all(Array.from({ length: load.connections }, () => openRawConnection(load.port)))
await Promise.all(connections.map(runConnection))
for (const connection of connections) connection.close()

const result: LoadResult = {
  latenciesMs: Float64Array.from(seen.latenciesMs),
  seconds: (performance.now() - countsFrom) / 1000,
  failures: seen.failures,
  firstFailure: seen.firstFailure,
}
parentPort?.postMessage(result)
