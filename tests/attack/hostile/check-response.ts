import type { RawResponse, Operation, Reference } from './operations.ts'
import type { Sent } from './raw-connection.ts'

/** Implementation details that must never be revealed. */
const INSIDE = /\n\s+at |node_modules|node:internal|SQLITE_|\.ts:\d+:\d+|kysely|dossier-trust-/

const NOWHERE = [400, 404, 405, 414]

type Exchange = { readonly sent: Sent; readonly heard: RawResponse | string }

/** The error in a response, if any; `heard` is a string if there was no response. */
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
  return INSIDE.test(text) && type !== 'text/html' ? `reveals internals: ${text.slice(0, 300)}` : undefined
}

type Answered = { readonly sent: Sent; readonly heard: RawResponse }

function untoldIn(reference: Reference, operation: Operation, { sent, heard }: Answered): string | undefined {
  // Node's response to an unknown `Expect`.
  if (heard.status === 417 && 'expect' in sent.headers) return undefined
  const isElsewhere = sent.method !== operation.method || NOWHERE.includes(heard.status)
  const isRefused = isElsewhere && heard.type === 'application/problem+json'
  if (isRefused || sent.method !== operation.method) return undefined
  return reference.untold(operation, heard)
}

/** Whether a connection may be closed without a response, because the request violates HTTP. */
const isEndOfItsOwn = ({ method, headers }: Sent): boolean => method === 'TRACE' || 'upgrade' in headers
