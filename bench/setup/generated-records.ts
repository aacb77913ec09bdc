/** The states a made record can be in; the same six as on the peers. */
export const STATUSES = ['active', 'new', 'waiting', 'closed', 'archived', 'spam'] as const

/** The state of records that do not exist for whoever is bound by the row condition. */
export const HIDDEN_STATUS = 'spam'

/** What records are marked with. */
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

/** How many people the made records are assigned to. */
export const PEOPLE_COUNT = 500

/** The name of one of them. */
export const personNamed = (at: number): string => `Person ${at + 1}`

/** The word that stands in about one of a hundred records, for the search. */
export const RARE_WORD = 'zephyrine'

const RARE_WORD_SHARE = 0.0098
/** In so many it stands in the field that is hidden from the bound role, which must not find it there. */
const HIDDEN_WORD_SHARE = 0.001

/** What the filter asks for: about one of forty records. */
export const SEARCHED_TERM = { status: 'active', least: 2500, most: 4000 } as const

const HIGHEST_AMOUNT = 10_000
const TITLE_WORDS = 4
const FEWEST_BODY_WORDS = 20
const MORE_BODY_WORDS = 36

/** One record, in words; `owner` is the number of a person. */
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
  /** The hidden field. */
  readonly remark: string
}

/** What is right about all records that were made, for one who may see them all or not. */
export type ExpectedResult = {
  readonly records: number
  readonly filtered: number
  readonly found: number
  readonly highest: number
  /** How many there are of each state, in the order of the states. */
  readonly groups: readonly (readonly [status: string, count: number])[]
}

/** The truth for the role that is bound by a row condition and a hidden field, for the owner, and for a server without rules. */
export type ExpectedResults = {
  readonly bound: ExpectedResult
  readonly owner: ExpectedResult
  readonly floor: ExpectedResult
}

/** Numbers between 0 and 1 that are the same in every run (mulberry32). */
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

/** 2,000 words of two or three syllables; the first are used most, as in real texts. */
const WORDS = Array.from({ length: 2000 }, (_, at) =>
  [at % 16, Math.floor(at / 16) % 16, ...(at % 3 === 0 ? [(at * 7) % 16] : [])].map((one) => SYLLABLES[one]).join(''),
)

/** Records for one collection: for the same count always the same. */
export function* generateRecords(count: number, seed = 1): Generator<GeneratedRecord> {
  const chance = steadyChance(seed)
  const upTo = (most: number) => Math.floor(chance() * most)
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

/** Counts what is right while records are made. */
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
      if (status === SEARCHED_TERM.status && amount >= SEARCHED_TERM.least && amount <= SEARCHED_TERM.most)
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
