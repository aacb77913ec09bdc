import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { clientAt } from '../client.ts'
import { openGround } from '../ground.ts'
import type { Findings, Trial, TrialRun } from '../trial.ts'
import { startWatched } from './watched-server.ts'

const SECOND = 'GET /api/health?second HTTP/1.1\r\nHost: x\r\n\r\n'

const posted = (headers: string, body: string): string =>
  `POST /api/auth/login HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`
const asked = (line: string, headers = 'Host: x'): string => `${line}\r\n${headers}\r\n\r\n`

/**
 * What two programs on the way may understand differently: where one request ends and the next begins. Behind each stands
 * a second one; it must never be answered as one of its own.
 */
const AMBIGUOUS: { readonly [what: string]: string } = {
  'a length and chunks': posted('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SECOND}`),
  'chunks and a length': posted('Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${SECOND}`),
  'two lengths': posted('Content-Length: 0\r\nContent-Length: 44', SECOND),
  'a list of lengths': posted('Content-Length: 0, 44', SECOND),
  'a length with a sign': posted('Content-Length: +0', SECOND),
  'a length below nothing': posted('Content-Length: -1', SECOND),
  'a length in hexadecimals': posted('Content-Length: 0x0', SECOND),
  'a space before the colon': posted('Content-Length : 44', SECOND),
  'an unknown form of chunks': posted('Transfer-Encoding: xchunked', `0\r\n\r\n${SECOND}`),
  'chunks that are not last': posted('Transfer-Encoding: chunked, identity', `0\r\n\r\n${SECOND}`),
  'chunks twice': posted('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${SECOND}`),
  'a header on two lines': posted('X-Folded: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 44\r\n\tx', SECOND),
  'lines without a return': `POST /api/auth/login HTTP/1.1\nHost: x\nContent-Length: 0\n\n${SECOND}`,
  'a return alone': posted('X-Alone: a\rContent-Length: 44', SECOND),
  'a header without a name': posted(': x', SECOND),
  'nothing in a header': posted('X-Nothing: a\0b', SECOND),
  'a chunk of more than there are numbers for': posted('Transfer-Encoding: chunked', `fffffffffffffffff\r\n${SECOND}`),
  'a chunk of hexadecimals twice': posted('Transfer-Encoding: chunked', `0x0\r\n\r\n${SECOND}`),
  'a chunk below nothing': posted('Transfer-Encoding: chunked', `-0\r\n\r\n${SECOND}`),
  'a chunk without a return': posted('Transfer-Encoding: chunked', `0\n\n${SECOND}`),
  'a chunk with 20 kB of extensions': posted(
    'Transfer-Encoding: chunked',
    `1;${'x=y;'.repeat(5000)}\r\n{\r\n0\r\n\r\n${SECOND}`,
  ),
  'two hosts': asked('GET /api/health HTTP/1.1', 'Host: x\r\nHost: y\r\nContent-Length: x') + SECOND,
  'no host': asked('GET /api/health HTTP/1.1', 'X: y') + SECOND,
  'HTTP of another time': asked('GET /api/health HTTP/7.3') + SECOND,
  'no version': `GET /api/health\r\n\r\n${SECOND}`,
  'a method nobody knows': asked('SMUGGLE /api/health HTTP/1.1') + SECOND,
  'a space in the address': asked('GET /api/health HTTP/1.1 HTTP/1.1') + SECOND,
  'an address of 100 kB': asked(`GET /${'x'.repeat(100_000)} HTTP/1.1`) + SECOND,
  'headers of 100 kB': asked('GET /api/health HTTP/1.1', `Host: x\r\nX-Long: ${'x'.repeat(100_000)}`) + SECOND,
  'ten thousand headers':
    asked('GET /api/health HTTP/1.1', `Host: x\r\n${'X-Many: x\r\n'.repeat(10_000)}X: y`) + SECOND,
  'the words of another protocol': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' + SECOND,
  'a handshake of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + SECOND,
}

const SLOW = { long: 400, short: 60 }
const WATCHED_MS = { long: 100_000, short: 2_500 }
/** Heads that are not there by then are no longer waited for; Node looks twice a minute. */
const HEADS_END_WITHIN_MS = 95_000
const ANSWERED_WITHIN_MS = 2_000
const PIPELINED = 100

/** Attacks the way in itself: requests that end where one likes, and connections that never do. */
export const connectionTrials: readonly Trial[] = [
  { name: 'hostile connections', ground: 'SQLite + disk', run: tryConnections },
]

async function tryConnections({ isLong, say }: TrialRun): Promise<Findings> {
  const ground = await openGround('SQLite + disk')
  const broken: string[] = []
  try {
    const server = await startWatched(ground)
    const port = Number(new URL(server.url).port)
    for (const [what, bytes] of Object.entries(AMBIGUOUS)) {
      const heard = await hear(port, bytes)
      const answers = heard.match(/^HTTP\/1\.1 \d+/gm) ?? []
      const isRefused = answers.length === 1 && heard.startsWith('HTTP/1.1 4')
      if (!isRefused) broken.push(`${what}: ${answers.length} answers: ${JSON.stringify(heard.slice(0, 200))}`)
    }
    const inRow = asked('GET /api/health HTTP/1.1').repeat(PIPELINED)
    const answered = ((await hear(port, inRow)).match(/HTTP\/1\.1 200/g) ?? []).length
    if (answered !== PIPELINED) broken.push(`of ${PIPELINED} requests in a row ${answered} were answered`)
    say('slow connections …')
    const slow = await trySlow(server.url, isLong)
    broken.push(...slow.broken)
    const { stallMs } = await server.look()
    return { inputs: Object.keys(AMBIGUOUS).length + PIPELINED + slow.opened, longestStallMs: stallMs, broken }
  } finally {
    await ground.close()
  }
}

/** All that comes until the connection ends; one that stays open is ended by us. */
const hear = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    socket.setEncoding('latin1').on('data', (part: string) => (heard += part))
    socket.on('error', () => undefined).on('close', () => resolve(heard))
    socket.setTimeout(1000, () => socket.destroy())
  })

/** Connections whose heads and bodies come byte by byte keep nobody from being answered, and end. */
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
    const askedAt = performance.now()
    const { status } = await client.ask('GET', '/api/ready')
    const tookMs = performance.now() - askedAt
    if (status !== 200 || tookMs > ANSWERED_WITHIN_MS)
      broken.push(`beside slow connections: ${status} after ${Math.round(tookMs)} ms`)
    await pause(500)
  }
  const left = heads.filter((socket) => !socket.destroyed).length
  if (watchedMs > HEADS_END_WITHIN_MS && left > 0) broken.push(`${left} heads that never end are still waited for`)
  for (const socket of [...heads, ...bodies]) socket.destroy()
  return { broken, opened: 2 * count }
}
