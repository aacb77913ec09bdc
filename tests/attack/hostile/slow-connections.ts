import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { clientAt } from '#tests/attack/workload/client.ts'
import { openEnvironment } from '#tests/attack/environments.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'
import { SMUGGLED_REQUESTS, requested, posted } from './request-smuggling.ts'
import { tryBehindProxy } from './behind-proxy.ts'
import { startWatched } from './watched-server.ts'

const SLOW = { long: 400, short: 60 }
const WATCHED_MS = { long: 100_000, short: 2_500 }
/** Time limit for headers; Node checks twice a minute. */
const HEADS_END_WITHIN_MS = 95_000
const ANSWERED_WITHIN_MS = 2_000
const PIPELINED = 100

/** Connection-level attacks: ambiguous requests, and connections that never end. */
export const connectionTrials: readonly Trial[] = [
  { name: 'hostile connections', environment: 'SQLite + disk', run: tryConnections },
]

async function tryConnections({ isLong, say }: TrialRun): Promise<Findings> {
  const environment = await openEnvironment('SQLite + disk')
  const broken: string[] = []
  try {
    const server = await startWatched(environment)
    const port = Number(new URL(server.url).port)
    for (const [what, bytes] of Object.entries(SMUGGLED_REQUESTS)) {
      const heard = await hear(port, bytes)
      const answers = heard.match(/^HTTP\/1\.1 \d+/gm) ?? []
      const isRefused = answers.length === 1 && heard.startsWith('HTTP/1.1 4')
      if (!isRefused) broken.push(`${what}: ${answers.length} answers: ${JSON.stringify(heard.slice(0, 200))}`)
    }
    const inRow = requested('GET /api/health HTTP/1.1').repeat(PIPELINED)
    const answered = ((await hear(port, inRow)).match(/HTTP\/1\.1 200/g) ?? []).length
    if (answered !== PIPELINED) broken.push(`of ${PIPELINED} pipelined requests ${answered} got a response`)
    say('behind a proxy …')
    const proxied = await tryBehindProxy(port)
    broken.push(...proxied.broken)
    say('slow connections …')
    const slow = await trySlow(server.url, isLong)
    broken.push(...slow.broken)
    const { stallMs } = await server.look()
    const inputs = Object.keys(SMUGGLED_REQUESTS).length + PIPELINED + proxied.inputs + slow.opened
    return { inputs, longestStallMs: stallMs, broken }
  } finally {
    await environment.close()
  }
}

/** Everything received until the connection ends; the test closes it if the server doesn't. */
const hear = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    socket.setEncoding('latin1').on('data', (part: string) => (heard += part))
    socket.on('error', () => undefined).on('close', () => resolve(heard))
    socket.setTimeout(1000, () => socket.destroy())
  })

async function trySlow(url: string, isLong: boolean) {
  const broken: string[] = []
  const count = isLong ? SLOW.long : SLOW.short
  const begun = (text: string): Socket => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text))
    return socket.on('error', () => undefined).on('data', () => undefined)
  }
  const heads = Array.from({ length: count }, () => begun('GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: '))
  const bodies = Array.from({ length: count }, () =>
    begun(posted('Content-Type: application/json\r\nContent-Length: 1000', '{')),
  )
  const client = clientAt(url)
  const startedAt = performance.now()
  const watchedMs = isLong ? WATCHED_MS.long : WATCHED_MS.short
  while (performance.now() - startedAt < watchedMs) {
    for (const socket of [...heads, ...bodies]) if (!socket.destroyed) socket.write('x')
    const requestedAt = performance.now()
    const { status } = await client.ask('GET', '/api/ready')
    const tookMs = performance.now() - requestedAt
    if (status !== 200 || tookMs > ANSWERED_WITHIN_MS)
      broken.push(`with slow connections: ${status} after ${Math.round(tookMs)} ms`)
    await pause(500)
  }
  const left = heads.filter((socket) => !socket.destroyed).length
  if (watchedMs > HEADS_END_WITHIN_MS && left > 0) broken.push(`${left} endless requests are still open`)
  for (const socket of [...heads, ...bodies]) socket.destroy()
  return { broken, opened: 2 * count }
}
