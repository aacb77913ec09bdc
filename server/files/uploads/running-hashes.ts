import { createHash, type Hash } from 'node:crypto'

/** Running hashes of uploads, so that finishing a large file doesn't read it again. */
export type RunningHashes = {
  /** The hash of the first `offset` bytes; undefined if not in memory. */
  readonly at: (id: string, offset: number) => Hash | undefined
  readonly keep: (id: string, offset: number, hash: Hash) => void
  readonly drop: (id: string) => void
}

/** Least recently used hashes are evicted; those files are read again at the end. */
const MAX_HASHES = 1000

export function createRunningHashes(): RunningHashes {
  const kept = new Map<string, { readonly offset: number; readonly hash: Hash }>()
  return {
    at: (id, offset) => {
      if (offset === 0) return createHash('sha256')
      const known = kept.get(id)
      // A copy, so that an interrupted chunk doesn't change the stored one.
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
