import { openRawConnection, type RawRequest, rawRequest } from './raw-client.ts'

export type JsonAnswer = { readonly [part: string]: unknown }

/** Sends one request and throws if it fails. */
export async function fetchJson(port: number, request: RawRequest): Promise<JsonAnswer> {
  const connection = await openRawConnection(port)
  try {
    const { status, body } = await connection.ask(Buffer.from(rawRequest(request)))
    if (status >= 300) throw new Error(`${request.method} ${request.path} was answered ${status}: ${body()}`)
    // Every API response is a JSON object.
    return JSON.parse(body()) as JsonAnswer
  } finally {
    connection.close()
  }
}

export const sendAs =
  (port: number, token: string) =>
  (method: RawRequest['method'], path: string, body?: unknown): Promise<JsonAnswer> =>
    fetchJson(port, { method, path, token, ...(body !== undefined && { body }) })

export const RECORDS = '/api/collections/items/records'

export const get = (path: string): RawRequest => ({ method: 'GET', path })

export function listPath(query: Readonly<Record<string, string>>): string {
  return `${RECORDS}?${new URLSearchParams({ perPage: '50', ...query }).toString()}`
}

export function expectSame(what: string, answered: unknown, expected: unknown): void {
  if (JSON.stringify(answered) === JSON.stringify(expected)) return
  throw new Error(`${what}: the server says ${JSON.stringify(answered)}, right is ${JSON.stringify(expected)}`)
}

// The API guarantees this format.
export const itemsOf = ({ items }: JsonAnswer): readonly { readonly [part: string]: unknown }[] =>
  items as { [part: string]: unknown }[]
