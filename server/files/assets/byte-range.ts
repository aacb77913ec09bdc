import type { ByteRange } from '#server/platform/storage/blob-storage.ts'

/** Which part of a file is asked for. */
export type RequestedRange =
  | { readonly type: 'all' }
  | { readonly type: 'unsatisfiable' }
  | ({ readonly type: 'part' } & ByteRange)

const ALL: RequestedRange = { type: 'all' }
const UNSATISFIABLE: RequestedRange = { type: 'unsatisfiable' }

/**
 * Reads a `Range` header against a file of so many bytes. One range is understood: `a-b`, `a-`, or the last `-n`. Several
 * at once, and what is no range at all, are answered by the whole file, as RFC 9110 allows.
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

/** Whether a header such as `If-None-Match` names this tag; a weak tag names it too, as is right for this header. */
export const matchesETag = (header: string | undefined, tag: string): boolean =>
  header !== undefined && header.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()))
