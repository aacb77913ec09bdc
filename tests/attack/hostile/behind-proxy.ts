import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SMUGGLED_REQUESTS, requested, UNUSUAL } from './request-smuggling.ts'

/** How a proxy in front of the server frames requests; each variant has been seen in practice. */
const READINGS: { readonly [what: string]: (request: string) => number } = {
  'the first length': (request) => endByLength(request, 0),
  'the last length': (request) => endByLength(request, -1),
  'chunks before lengths': (request) => endByChunks(request) ?? endByLength(request, 0),
  'no body at all': (request) => headOf(request).length,
}

const SILENCE_MS = 1_000
const VICTIM = requested('GET /api/ready HTTP/1.1')

/** The head of a request, including the empty line after it. */
const headOf = (text: string): string => /^\s*[\s\S]*?\r?\n\r?\n/.exec(text)?.[0] ?? text

function endByLength(request: string, which: 0 | -1): number {
  const head = headOf(request)
  const lengths = [...head.matchAll(/^content-length\s*:\D*(\d+)/gim)].map(([, digits]) => Number(digits))
  return Math.min(request.length, head.length + (lengths.at(which) ?? 0))
}

function endByChunks(request: string): number | undefined {
  const head = headOf(request)
  if (!/^transfer.encoding\s*:.*chunked/im.test(head)) return undefined
  const end = /(?:^|\n)0\r?\n[\s\S]*?\r?\n(?=GET|$)/.exec(request.slice(head.length))
  return end === null ? request.length : head.length + end.index + end[0].length
}

/**
 * Simulates a proxy with one shared connection: after an attacker's request, another client's request must get its own
 * response or an error.
 */
export async function tryBehindProxy(
  port: number,
): Promise<{ readonly inputs: number; readonly broken: readonly string[] }> {
  const broken: string[] = []
  const own = await openShared(port)
  const wanted = bodyOf(await own.ask(VICTIM))
  // Verifies that a surplus response is detected; otherwise the test below would prove nothing.
  await own.ask(requested('GET /api/health HTTP/1.1').repeat(2))
  if (bodyOf(await own.ask(VICTIM)) === wanted) broken.push('the proxy does not notice exchanged responses')
  own.end()
  let inputs = 0
  for (const [what, request] of Object.entries({ ...SMUGGLED_REQUESTS, ...UNUSUAL })) {
    for (const [reading, endOf] of Object.entries(READINGS)) {
      inputs += 1
      const shared = await openShared(port)
      const first = await shared.ask(request.slice(0, endOf(request)))
      // A connection that got no response isn't reused.
      const second = first === '' || shared.hasEnded() ? '' : await shared.ask(VICTIM)
      const isRefused = second.startsWith('HTTP/1.1 4') && /^connection: close/im.test(second)
      if (second !== '' && !isRefused && bodyOf(second) !== wanted)
        broken.push(`behind a proxy that reads ${reading}, after ${what}, another client gets ${second.slice(0, 300)}`)
      shared.end()
    }
  }
  return { inputs, broken }
}

const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4)

/** A connection for consecutive requests; the next request receives any surplus responses. */
async function openShared(port: number) {
  let heard = ''
  let hasEnded = false
  const socket: Socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1').on('data', (part: string) => (heard += part))
  socket.on('error', () => undefined).on('close', () => (hasEnded = true))
  const takeAnswer = (): string | undefined => {
    const head = /^HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n/.exec(heard)
    if (head === null) return undefined
    const length = Number(/^content-length: (\d+)/im.exec(head[0])?.[1] ?? 0)
    const end = head[0].length + length
    if (heard.length < end) return undefined
    const answer = heard.slice(0, end)
    heard = heard.slice(end)
    // After 100 Continue, the actual response follows.
    return head[1] === '100' ? takeAnswer() : answer
  }
  return {
    /** The next response after these bytes; undefined if none arrives. */
    ask: async (bytes: string): Promise<string> => {
      socket.write(bytes, 'latin1')
      const requestedAt = performance.now()
      let answer = takeAnswer()
      while (answer === undefined && !hasEnded && performance.now() - requestedAt < SILENCE_MS) {
        await pause(2)
        answer = takeAnswer()
      }
      return answer ?? ''
    },
    hasEnded: () => hasEnded,
    end: () => socket.destroy(),
  }
}
