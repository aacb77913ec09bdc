import type { Answer, Client } from './client.ts'

/** What was seen of the answers of a server. */
export type ResponseStats = {
  readonly broken: string[]
  /** The longest time anybody waited for an answer, in ms. */
  longestMs: number
  serverErrors: number
  putOffs: number
  /** With what, the first of them. */
  readonly putOffWith: string[]
}

/** Nothing was seen yet. */
export const newResponseStats = (): ResponseStats => ({
  broken: [],
  longestMs: 0,
  serverErrors: 0,
  putOffs: 0,
  putOffWith: [],
})

/** More than this of one kind says nothing new. */
const MAX_REPORTED = 20

/** More than this of those who are put off are only counted. */
const MAX_KEPT = 1000

/** Tells of something that must not be, while that is of interest. */
export function tell({ broken }: ResponseStats, sentence: string): void {
  if (broken.length < MAX_REPORTED) broken.push(sentence)
}

/** The same client; what it is answered is looked at: how soon, whether the server is to blame, and whether it says when to come again. */
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
      if (retryAfter === null) tell(sight, `${question} was put off without Retry-After: ${text.slice(0, 200)}`)
    } else if (status >= 500 && status !== 502) {
      // 502 is said by a proxy whose server died; ours never says it.
      sight.serverErrors += 1
      tell(sight, `${question} was answered with ${status}: ${text.slice(0, 200)}`)
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
