import { createHash, type Hash } from 'node:crypto'

/** Running hashes of uploads in memory, so that finishing a large file does not read it again. */
export type RunningHashes = {
  /** The hash of the first `offset` bytes, to be fed on; undefined when it is not known here any more. */
  readonly at: (id: string, offset: number) => Hash | undefined
  /** Keeps a hash that was fed up to `offset`. */
  readonly keep: (id: string, offset: number, hash: Hash) => void
  readonly drop: (id: string) => void
}

/** Hashes kept; those that were fed longest ago go first, and their files are read once more at their end. */
const MAX_HASHES = 1000

/** Begins with none: after a restart, files are read again at their end. */
export function createRunningHashes(): RunningHashes {
  const kept = new Map<string, { readonly offset: number; readonly hash: Hash }>()
  return {
    at: (id, offset) => {
      if (offset === 0) return createHash('sha256')
      const known = kept.get(id)
      // A copy, because a chunk that breaks off must leave the kept one as it was.
      return known?.offset === offset ? known.hash.copy() : undefined
    },
    keep: (id, offset, hash) => {
      kept.delete(id)
      kept.set(id, { offset, hash })
      const [oldest] = kept.keys()
      if (kept.size > MAX_HASHES && oldest !== undefined) kept.delete(oldest)
    },
    drop: (id) => void kept.delete(id),
  }
}
