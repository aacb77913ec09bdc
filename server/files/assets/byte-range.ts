import type { ByteRange } from '#server/platform/storage/blob-storage.ts'

export type RequestedRange =
  | { readonly type: 'all' }
  | { readonly type: 'unsatisfiable' }
  | ({ readonly type: 'part' } & ByteRange)

const ALL: RequestedRange = { type: 'all' }
const UNSATISFIABLE: RequestedRange = { type: 'unsatisfiable' }

/**
 * Parses a `Range` header for a file of `bytes`. Supports one range; multiple and invalid ranges return the whole
 * file, as RFC 9110 allows.
 */
export function readRange(header: string | undefined, bytes: number): RequestedRange {
  const [, from, to] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return ALL
  if (from === '') return lastBytes(Number(to), bytes)

  const start = Number(from)
  const end = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (to !== '' && Number(to) < start) return ALL
  return start >= bytes ? UNSATISFIABLE : { type: 'part', start, end }
}

const lastBytes = (count: number, bytes: number): RequestedRange =>
  count === 0 || bytes === 0 ? UNSATISFIABLE : { type: 'part', start: Math.max(0, bytes - count), end: bytes - 1 }

/** Compares weakly, as `If-None-Match` requires. */
export const matchesETag = (header: string | undefined, tag: string): boolean =>
  header !== undefined && header.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()))
