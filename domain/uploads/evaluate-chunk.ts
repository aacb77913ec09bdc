import type { Upload } from './upload.ts'
import { isExpired } from './upload-expiry.ts'

/** Bytes that want in. */
export type Chunk = {
  /** Where in the file its first byte belongs. */
  readonly offset: number
  /** How many bytes it says it has; undefined when its sender does not know yet. */
  readonly bytes: number | undefined
  /**
   * tus asks that a chunk begin exactly at what is committed (`exact`). FilePond sends a chunk again without asking when
   * only the answer was lost; what is stored already is then taken as said (`repeatable`).
   */
  readonly rule: 'exact' | 'repeatable'
}

/** What to do with a chunk. */
export type ChunkDecision =
  /** Store it at what is committed, leaving out its first `skip` bytes, which are there already. */
  | { readonly type: 'accept'; readonly skip: number }
  | { readonly type: 'already-stored' }
  | { readonly type: 'wrong-offset'; readonly committed: number }
  | { readonly type: 'too-large' }
  /** It expired, or its bytes were refused: no chunk will ever be taken again. */
  | { readonly type: 'gone' }

/** Judges a chunk before a byte of it is read. Whoever asks holds the upload's turn. */
export function decideChunk(upload: Upload, { offset, bytes, rule }: Chunk, now: Date): ChunkDecision {
  const { committed, state, file } = upload
  if (state === 'failed' || (state === 'open' && isExpired(upload, now))) return { type: 'gone' }
  if (offset > committed) return { type: 'wrong-offset', committed }
  if (bytes !== undefined && offset + bytes > file.bytes) return { type: 'too-large' }
  if (offset === committed) return { type: 'accept', skip: 0 }
  if (rule === 'exact') return { type: 'wrong-offset', committed }
  if (bytes !== undefined && offset + bytes <= committed) return { type: 'already-stored' }
  return { type: 'accept', skip: committed - offset }
}
