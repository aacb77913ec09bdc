/** Record statuses; the same six as in the benchmarks of comparable products. */
export const STATUSES = ['active', 'new', 'waiting', 'closed', 'archived', 'spam'] as const

/** The status that the row filter hides. */
export const HIDDEN_STATUS = 'spam'

export const TAGS = [
  'red',
  'urgent',
  'draft',
  'north',
  'south',
  'paid',
  'open',
  'old',
  'sample',
  'vip',
  'eu',
  'us',
] as const

/** Number of people that records can be assigned to. */
export const PEOPLE_COUNT = 500

export const personNamed = (at: number): string => `Person ${at + 1}`

/** Word that occurs in about 1 % of records, used in search. */
export const RARE_WORD = 'zephyrine'

const RARE_WORD_SHARE = 0.0098
/** Fraction of records with the word in the hidden field, where searches by the restricted user must not find it. */
const HIDDEN_WORD_SHARE = 0.001

/** Benchmark filter, which matches about 1 in 40 records. */
export const SEARCHED_TERM = { status: 'active', min: 2500, max: 4000 } as const

export const HIGHEST_AMOUNT = 10_000
const TITLE_WORDS = 4
const FEWEST_BODY_WORDS = 20
const MORE_BODY_WORDS = 36

/** Generated record; `owner` is the number of a person. */
export type GeneratedRecord = {
  readonly title: string
  readonly body: string
  readonly status: (typeof STATUSES)[number]
  readonly amount: number
  readonly madeAt: string
  readonly due: string | null
  readonly isDone: boolean
  readonly owner: number
  readonly tags: readonly string[]
  readonly remark: string
}

/** Expected counts for all records that a user can see. */
export type ExpectedResult = {
  readonly records: number
  readonly filtered: number
  readonly found: number
  readonly highest: number
  /** Record counts per status, in status order. */
  readonly groups: readonly (readonly [status: string, count: number])[]
}

/** Expected counts for the restricted user, the owner, and the baseline. */
export type ExpectedResults = {
  readonly bound: ExpectedResult
  readonly owner: ExpectedResult
  readonly floor: ExpectedResult
}

/** Deterministic pseudorandom numbers between 0 and 1 (mulberry32). */
export function steadyChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const SYLLABLES = ['ba', 'cor', 'den', 'fi', 'gal', 'ho', 'in', 'ju', 'kel', 'lo', 'mar', 'né', 'ol', 'pra', 'ri', 'su']

/** 2,000 words of two or three syllables; earlier words are chosen more often, similar to natural text. */
const WORDS = Array.from({ length: 2000 }, (_, at) =>
  [at % 16, Math.floor(at / 16) % 16, ...(at % 3 === 0 ? [(at * 7) % 16] : [])].map((one) => SYLLABLES[one]).join(''),
)

/** Generates the same records for the same count and seed. */
export function* generateRecords(count: number, seed = 1): Generator<GeneratedRecord> {
  const chance = steadyChance(seed)
  const upTo = (max: number) => Math.floor(chance() * max)
  const word = () => WORDS[Math.floor(WORDS.length * chance() ** 3)] ?? ''
  const text = (words: number) => Array.from({ length: words }, word).join(' ')
  const day = () => new Date(Date.UTC(2020, 0, 1 + upTo(2500), upTo(24), upTo(60), upTo(60))).toISOString()

  for (let made = 0; made < count; made += 1) {
    const body = text(FEWEST_BODY_WORDS + upTo(MORE_BODY_WORDS))
    yield {
      title: text(TITLE_WORDS),
      body: chance() < RARE_WORD_SHARE ? `${body} ${RARE_WORD}` : body,
      status: STATUSES[upTo(STATUSES.length)] ?? 'active',
      amount: upTo(HIGHEST_AMOUNT * 100) / 100,
      madeAt: day(),
      due: chance() < 0.7 ? day().slice(0, 10) : null,
      isDone: chance() < 0.3,
      owner: upTo(PEOPLE_COUNT),
      tags: TAGS.filter(() => chance() < 0.12),
      remark: chance() < HIDDEN_WORD_SHARE ? `${word()} ${RARE_WORD}` : word(),
    }
  }
}

export function expectedResultsCollector(): {
  readonly note: (made: GeneratedRecord) => void
  readonly truths: () => ExpectedResults
} {
  const [bound, owner, floor] = [counter(), counter(), counter()]
  return {
    note: (made) => {
      const isInBody = made.body.endsWith(RARE_WORD)
      if (made.status !== HIDDEN_STATUS) bound.note(made, isInBody)
      owner.note(made, isInBody || made.remark.endsWith(RARE_WORD))
      floor.note(made, isInBody)
    },
    truths: () => ({ bound: bound.truth(), owner: owner.truth(), floor: floor.truth() }),
  }
}

function counter() {
  const seen = { records: 0, filtered: 0, found: 0, highest: 0 }
  const groups = new Map<string, number>()
  return {
    note: ({ status, amount }: GeneratedRecord, isFound: boolean) => {
      seen.records += 1
      if (status === SEARCHED_TERM.status && amount >= SEARCHED_TERM.min && amount <= SEARCHED_TERM.max)
        seen.filtered += 1
      if (isFound) seen.found += 1
      seen.highest = Math.max(seen.highest, amount)
      groups.set(status, (groups.get(status) ?? 0) + 1)
    },
    truth: (): ExpectedResult => ({ ...seen, groups: STATUSES.flatMap((name) => pair(name, groups.get(name))) }),
  }
}

const pair = (name: string, count: number | undefined): (readonly [string, number])[] =>
  count === undefined ? [] : [[name, count]]
