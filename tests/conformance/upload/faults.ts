import type { Random } from '#tests/access-oracle/generate/random.ts'

export type Fault =
  | { readonly type: 'none' }
  /** The connection closes after this many bytes of the body, gracefully or with a reset. */
  | { readonly type: 'cut' | 'reset'; readonly afterBytes: number }
  /** Pauses for a while after this many bytes. */
  | { readonly type: 'stall'; readonly afterBytes: number; readonly ms: number }
  | { readonly type: 'spoil'; readonly afterBytes: number }
  | { readonly type: 'no-answer' }
  /** Only the first bytes of the response arrive. */
  | { readonly type: 'half-answer'; readonly afterBytes: number }
  /** The proxy reports the server as unreachable without contacting it. */
  | { readonly type: 'bad-gateway' }

/** Each kind of fault, by its name in the tables. */
export type FaultName = Exclude<Fault['type'], 'none'>

const LONGEST_STALL_MS = 400

/** A status line and a few headers. */
const ANSWER_BYTES = 120

/** Random faults; a changed byte is only detected by clients that send checksums. */
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

/** A random fault for a request with this many bytes; a fraction of `share` (0 to 1) of requests fail. */
export const randomFault = (draw: Random, share: number, bodyBytes: number): Fault =>
  draw.chance(share) ? MAKE[draw.one(FAULT_NAMES)](draw, bodyBytes) : { type: 'none' }
