import { UPLOAD } from '#domain/specification.ts'
import { randomFrom } from '#tests/access-oracle/generate/random.ts'
import { AWKWARD_NAMES } from './awkward-names.ts'
import type { Plan } from './upload-run.ts'
import type { MadeFile } from './page/main.ts'

/** One scenario of the extended upload tests. */
export type Trial = Pick<Plan, 'files' | 'isOnDisk' | 'isEager' | 'kills' | 'faultShare'> & {
  /** Number of times the clock advances; a token expires after two steps. */
  readonly steps?: number
}

/** Settings shared by all scenarios. */
export type TrialSettings = {
  readonly seed: number
  /** Size of the large file in bytes. */
  readonly bytes: number
  readonly kills: number
  /** The number of small files. */
  readonly count: number
  readonly faultShare: number
}

const CHUNK = UPLOAD.chunkBytes

const LARGEST_SMALL_BYTES = 40_000

/** Files with random sizes up to 40 kB. */
export function smallFiles(count: number, seed: number): MadeFile[] {
  const draw = randomFrom(seed)
  return Array.from({ length: count }, (_, at) => ({
    name: `small ${at}.bin`,
    bytes: draw.below(LARGEST_SMALL_BYTES),
    seed: seed + at,
  }))
}

/** File sizes: empty, one byte, multiples of the chunk size, and one byte more or less than those. */
const awkwardSizes = (seed: number): MadeFile[] =>
  [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1, 3 * CHUNK].map((bytes) => ({
    name: `${bytes}.bin`,
    bytes,
    seed: seed + bytes,
  }))

const awkwardNames = (seed: number): MadeFile[] =>
  AWKWARD_NAMES.map((name, at) => ({ name, type: 'text/plain', bytes: 100 + at, seed: seed + at }))

/** The scenarios, by their names in the results table. */
export const TRIALS = {
  large: ({ seed, bytes, kills, faultShare }) => ({
    files: [{ name: 'large.bin', bytes, seed }],
    isOnDisk: true,
    kills,
    faultShare,
  }),
  small: ({ seed, count, faultShare }) => ({ files: smallFiles(count, seed), kills: 5, faultShare }),
  names: ({ seed, faultShare }) => ({ files: awkwardNames(seed), kills: 0, faultShare }),
  'names, other way': ({ seed, faultShare }) => ({ files: awkwardNames(seed), isEager: true, kills: 0, faultShare }),
  sizes: ({ seed, faultShare }) => ({ files: awkwardSizes(seed), kills: 3, faultShare }),
  'sizes, other way': ({ seed, faultShare }) => ({ files: awkwardSizes(seed), isEager: true, kills: 3, faultShare }),
  token: ({ seed, faultShare }) => ({
    files: [{ name: 'token.bin', bytes: 20 * CHUNK, seed }],
    isOnDisk: true,
    kills: 0,
    steps: 6,
    faultShare,
  }),
} as const satisfies { readonly [name: string]: (settings: TrialSettings) => Trial }

export type TrialName = keyof typeof TRIALS

/** The names of all scenarios, in table order. */
export const TRIAL_NAMES = Object.keys(TRIALS) as readonly TrialName[]
