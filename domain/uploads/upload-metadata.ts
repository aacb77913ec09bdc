import { fail, ok, type Result } from '../shared/result.ts'

/** What a tus client says of a file beside its bytes: names and values. */
export type UploadMetadata = { readonly [name: string]: string }

/** Longest header we read, in characters; names and types of files are far shorter. */
const MAX_METADATA_LENGTH = 8000

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/

/** The header's text as names and values, or why it cannot be read. `decode` turns base64 into UTF-8 text. */
export function readUploadMetadata(header: string, decode: (base64: string) => string): Result<UploadMetadata, string> {
  if (header.length > MAX_METADATA_LENGTH)
    return fail(`Upload-Metadata is longer than ${MAX_METADATA_LENGTH} characters.`)
  const metadata = new Map<string, string>()
  const pairs = header.trim() === '' ? [] : header.split(',')
  for (const pair of pairs) {
    const [name = '', value = '', ...more] = pair.trim().split(' ')
    if (name === '' || more.length > 0) return fail('Upload-Metadata must be pairs of a key and a Base64 value.')
    if (metadata.has(name)) return fail(`Upload-Metadata contains “${name}” twice.`)
    if (!BASE64.test(value)) return fail(`The value of “${name}” in Upload-Metadata is not Base64.`)
    metadata.set(name, decode(value))
  }
  return ok(Object.fromEntries(metadata))
}

/** Names and values as the header; empty values stand as a bare name. `encode` turns text into base64 of its UTF-8. */
export const printUploadMetadata = (metadata: UploadMetadata, encode: (text: string) => string): string =>
  Object.entries(metadata)
    .map(([name, value]) => (value === '' ? name : `${name} ${encode(value)}`))
    .join(',')
