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

/** A header that FilePond fills with the bytes of UTF-8 one by one; undefined when it is not there. */
export function utf8Header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const text = headers[name]
  return typeof text === 'string' ? Buffer.from(text, 'latin1').toString('utf8') : undefined
}
