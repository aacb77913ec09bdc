import type { Random } from '#tests/access-oracle/generate/random.ts'

export type Fault =
  | { readonly type: 'none' }
  /** The connection is closed after this many body bytes, gracefully or with a reset. */
  | { readonly type: 'cut' | 'reset'; readonly afterBytes: number }
  /** The transfer pauses after this many bytes. */
  | { readonly type: 'stall'; readonly afterBytes: number; readonly ms: number }
  | { readonly type: 'spoil'; readonly afterBytes: number }
  | { readonly type: 'no-answer' }
  /** The response is truncated after this many bytes. */
  | { readonly type: 'half-answer'; readonly afterBytes: number }
  /** The proxy responds with a 502 without contacting the server. */
  | { readonly type: 'bad-gateway' }

/** Fault types by their names in the results tables. */
export type FaultName = Exclude<Fault['type'], 'none'>

const LONGEST_STALL_MS = 400

/** Approximate size in bytes of a status line and a few headers. */
const ANSWER_BYTES = 120

/** Generators for random faults. Corrupted bytes are excluded, because only clients that send checksums detect them. */
const MAKE: { readonly [Name in Exclude<FaultName, 'spoil'>]: (draw: Random, bodyBytes: number) => Fault } = {
  cut: (draw, bodyBytes) => ({ type: 'cut', afterBytes: draw.below(bodyBytes + 1) }),
  reset: (draw, bodyBytes) => ({ type: 'reset', afterBytes: draw.below(bodyBytes + 1) }),
  stall: (draw, bodyBytes) => ({
    type: 'stall',
    afterBytes: draw.below(bodyBytes + 1),
    ms: draw.below(LONGEST_STALL_MS),
  }),
  'no-answer': () => ({ type: 'no-answer' }),
  'half-answer': (draw) => ({ type: 'half-answer', afterBytes: 1 + draw.below(ANSWER_BYTES) }),
  'bad-gateway': () => ({ type: 'bad-gateway' }),
}

const FAULT_NAMES = Object.keys(MAKE) as readonly (keyof typeof MAKE)[]

/** Returns a random fault with a probability of `share` (0 to 1) for a request with this many body bytes. */
export const randomFault = (draw: Random, share: number, bodyBytes: number): Fault =>
  draw.chance(share) ? MAKE[draw.one(FAULT_NAMES)](draw, bodyBytes) : { type: 'none' }
