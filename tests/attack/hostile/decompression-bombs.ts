import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { clientAt, signIn } from '#tests/attack/workload/client.ts'
import { OWNER, openEnvironment, ownerAt } from '#tests/attack/environments.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'
import { type Bomb, BOMBS } from './payloads/bomb-payloads.ts'
import { createFixtures } from './fixtures.ts'
import { startWatched } from './watched-server.ts'

/** Maximum memory growth in bytes while rejecting all bombs. */
const MAX_TAKEN_BYTES = 300_000_000
/** Maximum event-loop delay in ms. */
const LONGEST_STALL_MS = 200
const SILENCE_MS = 60_000
/**
 * Maximum number of bytes that the server reads from an anonymous client before it closes the connection. It keeps
 * reading beyond the 100 kB limit, so that the client receives the error.
 */
const FAR_BEHIND_BYTES = 800_000
/** How much of an endless body is sent, in bytes. */
const LARGEST = { long: 100_000_000, short: 10_000_000 }

/**
 * Bodies that inflate, nest or multiply: each must be rejected or stay within limits, without delays or memory growth.
 */
export const bombTrials: readonly Trial[] = [{ name: 'hostile bombs', environment: 'SQLite + disk', run: tryBombs }]

async function tryBombs({ isLong }: TrialRun): Promise<Findings> {
  const environment = await openEnvironment('SQLite + disk')
  const broken: string[] = []
  let longestStallMs = 0
  let serverErrors = 0
  try {
    const server = await startWatched(environment)
    const owner = await ownerAt(server)
    await createFixtures(owner)
    const { token } = await signIn(clientAt(server.url), OWNER.email, OWNER.password)
    const { peakBytes: before } = await server.look()
    for (const bomb of BOMBS) {
      const answer = await throwBomb({ url: server.url, token }, bomb, isLong ? LARGEST.long : LARGEST.short)
      const { stallMs, peakBytes } = await server.look()
      longestStallMs = Math.max(longestStallMs, stallMs)
      if (Number(answer) >= 500) serverErrors += 1
      if (bomb.isAllowed ? answer !== 200 : !isRefusal(answer)) broken.push(`${bomb.what} got ${answer}`)
      if (stallMs > LONGEST_STALL_MS) broken.push(`${bomb.what} kept the event loop busy for ${stallMs} ms`)
      if (peakBytes - before > MAX_TAKEN_BYTES)
        broken.push(`${bomb.what}: the server's memory grew to ${peakBytes} bytes, from ${before}`)
    }
    return { inputs: BOMBS.length, serverErrors, longestStallMs, broken }
  } finally {
    await environment.close()
  }
}

/** The response status, or the reason there is none. */
type Answer = number | 'silence' | 'an early end' | 'a late end'

const isRefusal = (answer: Answer): boolean =>
  answer === 'a late end' || (Number(answer) >= 400 && Number(answer) < 500)

/** Sends as fast as the receiver reads. */
async function throwBomb(
  to: { readonly url: string; readonly token: string },
  bomb: Bomb,
  largest: number,
): Promise<Answer> {
  const { method = 'POST', path, type = 'application/json', headers = {}, body } = bomb
  const all = { authorization: `Bearer ${to.token}`, ...(body && { 'content-type': type }), ...headers }
  const asking = request(`${to.url}${path}`, { method, headers: all, timeout: SILENCE_MS, agent: false })
  const answered = new Promise<Answer>((resolve) => {
    asking.on('response', (answer) => resolve(answer.resume().statusCode ?? 0))
    asking.on('timeout', () => resolve('silence'))
    asking.on('close', () => {
      const isFar = (asking.socket?.bytesWritten ?? 0) > FAR_BEHIND_BYTES
      resolve(isFar ? 'a late end' : 'an early end')
    })
  })
  void pipeline(Readable.from(body?.(largest) ?? []), asking).then(undefined, () => undefined)
  const answer = await answered
  asking.destroy()
  return answer
}
