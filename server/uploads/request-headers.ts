import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '#domain/shared/problem.ts'

/** Most digits of a number of bytes that a double carries exactly. */
const BYTES = /^\d{1,15}$/

/** A header that counts bytes; undefined when it is not there. */
export function bytesHeader(headers: IncomingHttpHeaders, name: string): number | undefined {
  const text = headers[name]
  if (text === undefined) return undefined
  if (typeof text === 'string' && BYTES.test(text)) return Number(text)
  throw new Problem('invalid-upload', `The header ${name} must be a whole number of bytes.`)
}

/** A header that counts bytes and must be there. */
export function neededBytesHeader(headers: IncomingHttpHeaders, name: string): number {
  const bytes = bytesHeader(headers, name)
  if (bytes === undefined) throw new Problem('invalid-upload', `The header ${name} is missing.`)
  return bytes
}
