import { type Result, fail, ok } from '../shared/result.ts'

export type Checksum = {
  readonly algorithm: ChecksumAlgorithm
  /** Base64. */
  readonly digest: string
}

/** Algorithm names from tus 1.0, which requires support for the first one. */
export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256', 'sha384', 'sha512', 'md5'] as const

export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number]

const DIGEST_BYTES: { readonly [Algorithm in ChecksumAlgorithm]: number } = {
  sha1: 20,
  sha256: 32,
  sha384: 48,
  sha512: 64,
  md5: 16,
}

const BASE64_DIGITS = /^[A-Za-z0-9+/]+={0,2}$/

/** Parses `Upload-Checksum`, such as `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`. */
export function readChecksum(header: string): Result<Checksum, string> {
  const [name = '', digest = '', ...more] = header.trim().split(/ +/)
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name)
  if (algorithm === undefined)
    return fail(`Unsupported Upload-Checksum algorithm: use ${CHECKSUM_ALGORITHMS.join(', ')}, not “${name}”.`)
  const length = 4 * Math.ceil(DIGEST_BYTES[algorithm] / 3)
  const padded = digest.padEnd(length, '=')
  if (
    more.length > 0 ||
    !BASE64_DIGITS.test(digest) ||
    padded.length !== length ||
    paddingOf(padded) !== paddingFor(algorithm)
  ) {
    return fail(`Upload-Checksum must be “${algorithm}”, a space, and the checksum in Base64, ${length} characters.`)
  }
  return ok({ algorithm, digest: padded })
}

const paddingOf = (text: string): number => text.length - text.replace(/=+$/, '').length

const paddingFor = (algorithm: ChecksumAlgorithm): number => (3 - (DIGEST_BYTES[algorithm] % 3)) % 3

export type UploadMetadata = { readonly [name: string]: string }

/** In characters; real headers are far shorter. */
const MAX_METADATA_LENGTH = 8000

const BASE64_VALUE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/

/** Parses `Upload-Metadata`; `decode` converts Base64 to UTF-8 text. */
export function readUploadMetadata(header: string, decode: (base64: string) => string): Result<UploadMetadata, string> {
  if (header.length > MAX_METADATA_LENGTH)
    return fail(`Upload-Metadata is longer than ${MAX_METADATA_LENGTH} characters.`)
  const metadata = new Map<string, string>()
  const pairs = header.trim() === '' ? [] : header.split(',')
  for (const pair of pairs) {
    const [name = '', value = '', ...more] = pair.trim().split(' ')
    if (name === '' || more.length > 0) return fail('Upload-Metadata must be pairs of a key and a Base64 value.')
    if (metadata.has(name)) return fail(`Upload-Metadata contains “${name}” twice.`)
    if (!BASE64_VALUE.test(value)) return fail(`The value of “${name}” in Upload-Metadata is not Base64.`)
    metadata.set(name, decode(value))
  }
  return ok(Object.fromEntries(metadata))
}

/** Prints `Upload-Metadata`; an empty value is printed as a bare key. `encode` converts to Base64. */
export const printUploadMetadata = (metadata: UploadMetadata, encode: (text: string) => string): string =>
  Object.entries(metadata)
    .map(([name, value]) => (value === '' ? name : `${name} ${encode(value)}`))
    .join(',')
