import type { RawResponse, Operation, Reference } from './operations.ts'
import type { Sent } from './raw-connection.ts'

/** What of the inside must never be told. */
const INSIDE = /\n\s+at |node_modules|node:internal|SQLITE_|\.ts:\d+:\d+|kysely|dossier-trust-/

const NOWHERE = [400, 404, 405, 414]

type Exchange = { readonly sent: Sent; readonly heard: RawResponse | string }

/** What is wrong with an answer to anything at all; a sentence instead of an answer says why none came. */
export function responseError(
  reference: Reference,
  operation: Operation,
  { sent, heard }: Exchange,
): string | undefined {
  if (typeof heard === 'string') return isEndOfItsOwn(sent) ? undefined : heard
  return faultOfServer(heard) ?? untoldIn(reference, operation, { sent, heard })
}

function faultOfServer({ status, text, type }: RawResponse): string | undefined {
  if (status >= 500 && status !== 503) return `${status}: ${text.slice(0, 300)}`
  return INSIDE.test(text) && type !== 'text/html' ? `tells of the inside: ${text.slice(0, 300)}` : undefined
}

type Answered = { readonly sent: Sent; readonly heard: RawResponse }

function untoldIn(reference: Reference, operation: Operation, { sent, heard }: Answered): string | undefined {
  // What Node itself says of an `Expect` it does not know.
  if (heard.status === 417 && 'expect' in sent.headers) return undefined
  const isElsewhere = sent.method !== operation.method || NOWHERE.includes(heard.status)
  const isRefused = isElsewhere && heard.type === 'application/problem+json'
  if (isRefused || sent.method !== operation.method) return undefined
  return reference.untold(operation, heard)
}

/** Whether a connection may end without an answer: HTTP itself was broken by the request. */
const isEndOfItsOwn = ({ method, headers }: Sent): boolean => method === 'TRACE' || 'upgrade' in headers
