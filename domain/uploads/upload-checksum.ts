import { fail, ok, type Result } from '../shared/result.ts'

/** What the bytes of one chunk must add up to. */
export type Checksum = {
  readonly algorithm: ChecksumAlgorithm
  /** In base64. */
  readonly digest: string
}

/** Sums we can check, by the names tus gives them; the first must be there (tus 1.0, checksum). */
export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256', 'sha384', 'sha512', 'md5'] as const

/** One of them. */
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number]

/** How many bytes each sum has. */
const DIGEST_BYTES: { readonly [Algorithm in ChecksumAlgorithm]: number } = {
  sha1: 20,
  sha256: 32,
  sha384: 48,
  sha512: 64,
  md5: 16,
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The header `Upload-Checksum`, such as `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`; or why it cannot be used. */
export function readChecksum(header: string): Result<Checksum, string> {
  const [name = '', digest = '', ...more] = header.trim().split(/ +/)
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name)
  if (algorithm === undefined)
    return fail(`Unsupported Upload-Checksum algorithm: use ${CHECKSUM_ALGORITHMS.join(', ')}, not “${name}”.`)
  const length = 4 * Math.ceil(DIGEST_BYTES[algorithm] / 3)
  const padded = digest.padEnd(length, '=')
  if (
    more.length > 0 ||
    !BASE64.test(digest) ||
    padded.length !== length ||
    paddingOf(padded) !== paddingFor(algorithm)
  ) {
    return fail(`Upload-Checksum must be “${algorithm}”, a space, and the checksum in Base64, ${length} characters.`)
  }
  return ok({ algorithm, digest: padded })
}

const paddingOf = (text: string): number => text.length - text.replace(/=+$/, '').length

const paddingFor = (algorithm: ChecksumAlgorithm): number => (3 - (DIGEST_BYTES[algorithm] % 3)) % 3
