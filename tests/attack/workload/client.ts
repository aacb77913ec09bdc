/** A client of a tested server. */
export type Client = {
  readonly url: string
  readonly ask: (method: string, path: string, body?: Body) => Promise<Answer>
  readonly read: (path: string) => Promise<{ readonly status: number; readonly bytes: Uint8Array }>
  readonly as: (token: string) => Client
}

/** The content to send: JSON, text or a form. */
type Body = object | string | FormData

/** A response. The body is parsed if it is JSON, and is text otherwise. */
export type Answer = Awaited<ReturnType<typeof send>>

const send = async (address: string, init: RequestInit) => {
  const answer = await fetch(address, init)
  const text = await answer.text()
  const isJson = /^application\/(?:problem\+)?json/.test(answer.headers.get('content-type') ?? '')
  const retryAfter = answer.headers.get('retry-after')
  return { status: answer.status, retryAfter, text, body: isJson ? JSON.parse(text) : undefined }
}

function initOf(method: string, token: string | undefined, body: Body | undefined): RequestInit {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  if (body === undefined) return { method, headers: authorization }
  if (body instanceof FormData) return { method, headers: authorization, body }
  const isText = typeof body === 'string'
  const type = { 'content-type': isText ? 'text/csv' : 'application/json' }
  return { method, headers: { ...authorization, ...type }, body: isText ? body : JSON.stringify(body) }
}

export const clientAt = (url: string, token?: string): Client => ({
  url,
  ask: (method, path, body) => send(`${url}${path}`, initOf(method, token, body)),
  read: async (path) => {
    const answer = await fetch(`${url}${path}`, initOf('GET', token, undefined))
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) }
  },
  as: (other) => clientAt(url, other),
})

/** A temporary failure announced by the server. */
export class UnavailableError extends Error {
  /** Whether the server guaranteed that nothing changed. */
  readonly isUnchanged: boolean
  readonly isExpired: boolean
  constructor({ status, text }: Answer) {
    super(`The server is unavailable with ${status}: ${text.slice(0, 500)}`)
    this.isExpired = status === 401
    this.isUnchanged = text.includes('Nothing was changed')
  }
}

const UNAVAILABLE_STATUSES = new Set(['storage-full', 'token-expired', 'step-up-needed'])

/** Throws for an unexpected response, which aborts the trial unless it expects outages. */
export function demand(answer: Answer, ...statuses: readonly number[]): Answer {
  if (statuses.includes(answer.status)) return answer
  // Status 502 comes from a proxy whose server died, never from the server itself.
  if (answer.status === 503 || answer.status === 502 || UNAVAILABLE_STATUSES.has(answer.body?.code))
    throw new UnavailableError(answer)
  throw new Error(
    `Instead of ${statuses.join(' or ')} the server returned ${answer.status}: ${answer.text.slice(0, 500)}`,
  )
}

/** Signs in as an API client; returns the response with both tokens. */
export const signIn = async ({ ask }: Client, email: string, password: string) =>
  demand(await ask('POST', '/api/auth/login', { email, password, client: 'api' }), 200).body
