import type { Single } from '../report/result.ts'
import { openRawConnection, type RawRequest, rawRequest } from '../client/raw-client.ts'

/** Background client that sends requests until stopped. */
export type Watch = {
  /** Stops the client and returns its latencies in ms. */
  readonly end: () => Promise<Float64Array>
}

export async function watch(
  { port, token }: { readonly port: number; readonly token: string },
  requests: readonly RawRequest[],
  status: number,
): Promise<Watch> {
  const connection = await openRawConnection(port)
  const bytes = requests.map((request) => Buffer.from(rawRequest({ token, ...request })))
  const latencies: number[] = []
  let isOver = false

  async function askOn(): Promise<void> {
    for (let at = 0; !isOver; at += 1) {
      const request = bytes[at % bytes.length]
      if (!request) return
      const startedAt = performance.now()
      const answer = await connection.ask(request)
      if (answer.status !== status) throw new Error(`${answer.status}: ${answer.body().slice(0, 200)}`)
      latencies.push(performance.now() - startedAt)
    }
  }

  const asking = askOn()
  // Avoids an unhandled rejection; `end` rethrows the error.
  asking.catch(() => undefined)
  return {
    end: async () => {
      isOver = true
      await asking
      connection.close()
      return Float64Array.from(latencies)
    },
  }
}

const most = (latencies: Float64Array): number => latencies.reduce((highest, ms) => Math.max(highest, ms), 0)

/** How much longer the slowest request took during background work than before. */
export const later = (before: Float64Array, during: Float64Array): Single => ({
  figure: Math.max(0, most(during) - most(before)),
  unit: 'ms later',
  note: `${most(during).toFixed(0)} ms; ${most(before).toFixed(0)} ms just before`,
})
