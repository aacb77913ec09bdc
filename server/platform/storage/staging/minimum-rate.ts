/** A sender must bring this many bytes in each stretch of waiting for it; below, a connection is held for nothing. */
export type MinimumRate = { readonly bytes: number; readonly everyMs: number }

/** 500 bytes a second: a tenth of the slowest mobile network. What arrived is kept where uploads can be resumed. */
export const UPLOAD_RATE: MinimumRate = { bytes: 30_000, everyMs: 60_000 }

/** Measures a sender by the time spent waiting for it, so a slow disk of ours counts for nothing. */
export function createRateMeter({ bytes: wanted, everyMs }: MinimumRate) {
  let waited = 0
  let received = 0
  return {
    /** Adds a part that came after a wait; answers whether the sender is too slow. */
    isTooSlow: (bytes: number, waitedMs: number): boolean => {
      waited += waitedMs
      received += bytes
      if (waited < everyMs) return false
      const isSlow = received < wanted
      waited = 0
      received = 0
      return isSlow
    },
  }
}
