import type { Answer, Client } from './client.ts'

/** Statistics of a server's responses. */
export type ResponseStats = {
  readonly broken: string[]
  /** Maximum response time in ms. */
  longestMs: number
  serverErrors: number
  putOffs: number
  /** The first responses that blame the server. */
  readonly putOffWith: string[]
}

/** Empty statistics. */
export const newResponseStats = (): ResponseStats => ({
  broken: [],
  longestMs: 0,
  serverErrors: 0,
  putOffs: 0,
  putOffWith: [],
})

/** More of one kind add no information. */
const MAX_REPORTED = 20

/** More 503 responses than this are only counted. */
const MAX_KEPT = 1000

/** Records a finding, up to a limit. */
export function tell({ broken }: ResponseStats, sentence: string): void {
  if (broken.length < MAX_REPORTED) broken.push(sentence)
}

/**
 * The same client, with checked responses: their time, whether they blame the server, and whether a 503 has
 * `Retry-After`.
 */
export function watched(client: Client, sight: ResponseStats): Client {
  const time = async <Seen extends { readonly status: number }>(asking: Promise<Seen>): Promise<Seen> => {
    const requestedAt = performance.now()
    const answer = await asking
    sight.longestMs = Math.max(sight.longestMs, performance.now() - requestedAt)
    return answer
  }
  const checker = (question: string, { status, text, retryAfter }: Answer): void => {
    if (status === 503) {
      sight.putOffs += 1
      if (sight.putOffWith.length < MAX_KEPT) sight.putOffWith.push(`${question}: ${text.slice(0, 200)}`)
      if (retryAfter === null) tell(sight, `${question} got a 503 without Retry-After: ${text.slice(0, 200)}`)
    } else if (status >= 500 && status !== 502) {
      // 502 comes from a proxy whose server died, never from the server.
      sight.serverErrors += 1
      tell(sight, `${question} got ${status}: ${text.slice(0, 200)}`)
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
    as: (token) => watched(client.as(token), sight),
  }
}
