import type { RecordValues } from '#domain/records/record.ts'

/** The states a made record can be in; the same six as on the peers. */
export const STATUSES = ['active', 'new', 'waiting', 'closed', 'archived', 'spam'] as const

/** How many people the made records are assigned to. */
export const PEOPLE_COUNT = 500

/** The word that stands in about one of a hundred records, for the search. */
export const RARE_WORD = 'zephyrine'

const RARE_WORD_SHARE = 0.0098

/** What the filter asks for: about one of forty records. */
export const WANTED = { status: 'active', least: 2500, most: 4000 } as const

const HIGHEST_AMOUNT = 10_000
const TITLE_WORDS = 4
const BODY_WORDS = 15

/** What the server must answer about all records that were made. */
export type Expected = {
  filtered: number
  found: number
  readonly amounts: Map<string, { count: number; sum: number }>
}

/** The ids that values name: those of choices, people and fields are made by the server. */
export type MadeIds = {
  readonly fieldOf: (name: string) => string
  readonly choiceOf: (name: string) => string
  readonly people: readonly string[]
}

/** Numbers between 0 and 1 that are the same in every run (mulberry32). */
function steadyChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const SYLLABLES = ['ba', 'cor', 'den', 'fi', 'gal', 'ho', 'in', 'ju', 'kel', 'lo', 'mar', 'né', 'ol', 'pra', 'ri', 'su']

/** 2,000 words of two or three syllables; the first are used most, as in real texts. */
const WORDS = Array.from({ length: 2000 }, (_, at) =>
  [at % 16, Math.floor(at / 16) % 16, ...(at % 3 === 0 ? [(at * 7) % 16] : [])].map((one) => SYLLABLES[one]).join(''),
)

/** A source of records for one collection, and what is true of them so far. */
export function recordMaker(ids: MadeIds): { readonly make: () => RecordValues; readonly expected: Expected } {
  const chance = steadyChance(1)
  const expected: Expected = { filtered: 0, found: 0, amounts: new Map() }
  const word = () => WORDS[Math.floor(WORDS.length * chance() ** 3)] ?? ''
  const text = (count: number) => Array.from({ length: count }, word).join(' ')
  const day = () => new Date(Date.UTC(2020, 0, 1 + Math.floor(chance() * 2500))).toISOString()

  function make(): RecordValues {
    const status = STATUSES[Math.floor(chance() * STATUSES.length)] ?? 'active'
    const amount = Math.floor(chance() * HIGHEST_AMOUNT * 100) / 100
    const isRare = chance() < RARE_WORD_SHARE
    note(expected, status, amount, isRare)
    return {
      [ids.fieldOf('title')]: text(TITLE_WORDS),
      [ids.fieldOf('body')]: isRare ? `${text(BODY_WORDS)} ${RARE_WORD}` : text(BODY_WORDS),
      [ids.fieldOf('status')]: ids.choiceOf(status),
      [ids.fieldOf('amount')]: amount,
      [ids.fieldOf('made_at')]: day(),
      [ids.fieldOf('due')]: chance() < 0.7 ? day().slice(0, 10) : null,
      [ids.fieldOf('done')]: chance() < 0.3,
      [ids.fieldOf('owner')]: ids.people[Math.floor(chance() * ids.people.length)] ?? null,
    }
  }
  return { make, expected }
}

function note(expected: Expected, status: string, amount: number, isRare: boolean): void {
  if (status === WANTED.status && amount >= WANTED.least && amount <= WANTED.most) expected.filtered += 1
  if (isRare) expected.found += 1
  const group = expected.amounts.get(status) ?? { count: 0, sum: 0 }
  group.count += 1
  group.sum += amount
  expected.amounts.set(status, group)
}
