import type { Answer, Client } from './client.ts'

/** Response statistics of a server. */
export type ResponseStats = {
  readonly broken: string[]
  /** Maximum response time in ms. */
  longestMs: number
  serverErrors: number
  unavailableCount: number
  /** The first server-error responses. */
  readonly unavailableError: string[]
}

export const newResponseStats = (): ResponseStats => ({
  broken: [],
  longestMs: 0,
  serverErrors: 0,
  unavailableCount: 0,
  unavailableError: [],
})

/** More findings of the same kind add no information. */
const MAX_REPORTED = 20

/** Beyond this number, 503 responses are only counted. */
const MAX_KEPT = 1000

/** Records a finding, up to a limit. */
export function tell({ broken }: ResponseStats, sentence: string): void {
  if (broken.length < MAX_REPORTED) broken.push(sentence)
}

/** Wraps a client to check response times, server errors, and the `Retry-After` header of 503 responses. */
export function watched(client: Client, stats: ResponseStats): Client {
  const time = async <Seen extends { readonly status: number }>(asking: Promise<Seen>): Promise<Seen> => {
    const requestedAt = performance.now()
    const answer = await asking
    stats.longestMs = Math.max(stats.longestMs, performance.now() - requestedAt)
    return answer
  }
  const checker = (question: string, { status, text, retryAfter }: Answer): void => {
    if (status === 503) {
      stats.unavailableCount += 1
      if (stats.unavailableError.length < MAX_KEPT) stats.unavailableError.push(`${question}: ${text.slice(0, 200)}`)
      if (retryAfter === null) tell(stats, `${question} got a 503 without Retry-After: ${text.slice(0, 200)}`)
    } else if (status >= 500 && status !== 502) {
      // Status 502 comes from a proxy whose server died, never from the server itself.
      stats.serverErrors += 1
      tell(stats, `${question} got ${status}: ${text.slice(0, 200)}`)
    }
  }
  return {
    url: client.url,
    ask: async (method, path, body) => {
      const answer = await time(client.ask(method, path, body))
      checker(`${method} ${path.slice(0, 80)}`, answer)
      return answer
    },
    read: (path) => time(client.read(path)),
    as: (token) => watched(client.as(token), stats),
  }
}
