export type MinimumRate = { readonly bytes: number; readonly everyMs: number }

/** 500 bytes a second: a tenth of the slowest mobile network. Resumable uploads keep what arrived. */
export const UPLOAD_RATE: MinimumRate = { bytes: 30_000, everyMs: 60_000 }

/** Measures a sender by the time spent waiting for it, so that our own slow disk does not count. */
export function createRateMeter({ bytes: wanted, everyMs }: MinimumRate) {
  let waited = 0
  let received = 0
  return {
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
