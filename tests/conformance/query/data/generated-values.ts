import fc from 'fast-check'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, hasSelectOptions, isEntered } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import { compareKeyValues } from '#domain/shared/compare-values.ts'
import type { Lookup } from '#domain/query/run/read-values.ts'
import { evaluateRollup } from '#domain/rollups/evaluate-rollup.ts'
import { rollupGraph } from '#domain/rollups/rollup-graph.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { documentOfText } from '#domain/rich-text/plain-text.ts'
import { authors, books, countries, fileNames, id, library, userNames } from './library-schema.ts'

/**
 * Strings that databases compare differently: case, accents, wildcards, quotation marks, surrogate pairs, length. Two
 * have 10,000 characters.
 */
export const TEXTS: readonly string[] = [
  'apfel', 'Apfel', 'Äpfel', 'ÄPFEL', 'Straße', 'STRASSE', 'naïve', 'naive', 'İstanbul', 'istanbul', 'ıstanbul',
  'é', 'e\u0301', 'E', 'ﬁne', 'fine', 'Ω', 'ω', 'ς', 'Σ', '日本', '１２', '12', '😀', '😀 smile', '～', '\u{10ffff}', '\ue000',
  '100% sure', '100x sure', 'a_b', 'axb', 'back\\slash', 'back/slash', "O'Brien", 'say "hi"', '%', '_', '\\', "'", '--',
  '  spaced ', 'two\nlines', 'tab\there', '\u0301', 'a', 'A', 'B', 'b', 'Z', 'z', 'null', 'true', '0', `${'long '.repeat(400)}end`,
  `${'long '.repeat(400)}and`, `${'LONG '.repeat(400)}and`, 'long '.repeat(40), 'Long '.repeat(40), `${'long '.repeat(39)}long`,
  `${'Ä😀%_\\ '.repeat(1_428)}end.`, `${'x'.repeat(9_999)}Ö`,
  '\u00a0', 'a\u00adb', 'K', 'K', 'Å', 'Å',
] // biome-ignore format: a table of texts reads best in few lines

/** Numbers near the limits of doubles, and numbers close to each other. */
export const NUMBERS: readonly number[] = [
  0, 1, -1, 2, 2.5, 0.1, 0.2, 0.3, -0.5, 100, 1e15, -1e15, 1e-7, 5e-324, 1.7e308, 123456.789,
]

/** The first and last supported dates, leap days, and dates around the tests' current date. */
export const DAYS: readonly string[] = [
  '0001-01-01',
  '1970-01-01',
  '2024-02-29',
  '2026-03-28',
  '2026-03-29',
  '2026-03-30',
  '2026-02-28',
  '9999-12-31',
]

/** Times around midnight in Vienna, around the start of daylight saving time, and at the supported limits. */
export const INSTANTS: readonly string[] = [
  '0001-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', '2026-03-28T22:59:59.999Z', '2026-03-28T23:00:00.000Z',
  '2026-03-29T00:59:59.999Z', '2026-03-29T21:59:59.999Z', '2026-03-29T22:00:00.000Z', '2026-03-29T12:00:00.000Z',
  '2026-03-29T12:00:00.001Z', '9999-12-31T23:59:59.999Z',
] // biome-ignore format: a table

/** Includes the ID of a deleted user. */
export const USERS: readonly string[] = [...userNames.keys(), id('e', userNames.size + 1)]

/** Email addresses in their stored form. */
export const EMAILS: readonly string[] = [
  'anna@example.org', 'anna@example.com', 'zoe@example.org', 'zoë@exämple.org', 'a_b%c@example.org', 'z@a.at', "o'brien@x.ie",
] // biome-ignore format: a table

/** URLs in their stored form. */
export const URLS: readonly string[] = [
  'https://example.org', 'https://example.org/', 'http://example.org', 'https://exämple.org/Pfad?q=100%25&x=_#Ende',
  'https://example.org:8443/a', 'http://[::1]:3000/', 'https://a.at',
] // biome-ignore format: a table

/** Phone numbers in their stored form. */
export const PHONES: readonly string[] = [
  '+43 1 234 56 78', '+43 1 2345678', '+43 (0)1/234-5678', '01 234 56 78', '(01) 2345678', '112', '+1 555-0100 #12', '0043123',
] // biome-ignore format: a table

export const COUNTED: readonly number[] = [1, 2, 3, 9, 10, 11, 100, 999_999_999_999_999]

const COUNTS = { books: 90, authors: 14, countries: 5 }

/** Half of the values come from a small set, so that many records have equal values. */
const textValue = fc.oneof(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS.slice(0, 8)))

const idsOf = (letter: string, count: number) => Array.from({ length: count }, (_, at) => id(letter, at + 1))

/** Author IDs, including a nonexistent one, because a link can remain after its target is deleted. */
export const AUTHOR_IDS = idsOf('m', COUNTS.authors + 1)
/** Country IDs, including a nonexistent one. */
export const COUNTRY_IDS = idsOf('n', COUNTS.countries + 1)
export const BOOK_IDS = idsOf('b', COUNTS.books)

const LINKED_IDS: ReadonlyMap<string, readonly string[]> = new Map([
  [books.id, BOOK_IDS],
  [authors.id, AUTHOR_IDS],
  [countries.id, COUNTRY_IDS],
])

function filled(field: Field): fc.Arbitrary<FieldValue> {
  switch (field.kind) {
    case 'formula':
    case 'lookup':
    case 'count':
    case 'rollup':
      throw new Error('The values of calculated fields are computed.')
    case 'text':
    case 'long-text':
      return textValue
    case 'rich-text':
      return fc.oneof(textValue, fc.constant('')).map(documentOfText)
    case 'number':
      return fc.constantFrom(...(field.name === 'margin' ? NUMBERS.slice(0, 9) : NUMBERS))
    case 'checkbox':
      return fc.boolean()
    case 'date':
      return fc.constantFrom(...DAYS)
    case 'date-time':
      return fc.constantFrom(...INSTANTS)
    case 'select':
    case 'state':
      return choice(field)
    case 'multi-select':
      return fc.uniqueArray(choice(field), { maxLength: 4 })
    case 'email':
      return fc.constantFrom(...EMAILS)
    case 'url':
      return fc.constantFrom(...URLS)
    case 'phone':
      return fc.constantFrom(...PHONES)
    case 'user': {
      const ids = fc.constantFrom(...USERS)
      return field.options.many ? fc.uniqueArray(ids, { maxLength: 3 }) : ids
    }
    case 'relation': {
      const ids = fc.constantFrom(...(LINKED_IDS.get(field.options.collection) ?? []))
      return field.options.many ? fc.uniqueArray(ids, { maxLength: 4 }) : ids
    }
    case 'reverse':
      // Never stored.
      return fc.constant(null)
    case 'files':
      return fc.uniqueArray(fc.constantFrom(...fileNames.keys()), { maxLength: 3 })
    case 'auto-number':
      return fc.constantFrom(...COUNTED)
    case 'json':
      return fc.constantFrom('""', '[]', '{"a":[1,"Äpfel"]}', '0', 'false')
  }
}

/** The ID of an option, sometimes of a deleted one. */
const choice = (field: Field) =>
  fc.constantFrom(...(hasSelectOptions(field) ? field.options.choices.map(({ id: own }) => own) : []), id('h', 99))

const valueOf = (field: Field): fc.Arbitrary<FieldValue> =>
  fc.oneof({ weight: 4, arbitrary: filled(field) }, { weight: 1, arbitrary: fc.constant(emptyValue(field)) })

function recordsOf(collection: Collection, ids: readonly string[], seed: number): CollectionRecord[] {
  const values = fc.record(
    Object.fromEntries(collection.fields.filter(isEntered).map((field) => [field.id, valueOf(field)])),
  )
  const stamps = fc.tuple(
    fc.constantFrom(...INSTANTS),
    fc.constantFrom(...USERS, null),
    fc.constantFrom(...USERS, null),
  )
  const drawn = fc.sample(fc.tuple(values, stamps), { seed, numRuns: ids.length })
  return drawn.map(([own, [at, createdBy, updatedBy]], place) => ({
    id: ids[place] ?? '',
    collection: collection.id,
    version: 1,
    createdAt: at,
    createdBy,
    updatedAt: at,
    updatedBy,
    values: own,
  }))
}

export const ORDERED_VIEW = 'v'

/** Keys of every third book in the manual order of a view, between other books or before all of them. */
export const manualKeys: ReadonlyMap<string, string> = new Map(
  BOOK_IDS.filter((_, at) => at % 3 === 0).map((book, at) => [
    book,
    `${at % 4 === 0 ? '' : (BOOK_IDS[(at * 7) % BOOK_IDS.length] ?? '')}!a${String(at).padStart(4, '0')}`,
  ]),
)

/** Records by collection ID. */
export type Stock = ReadonlyMap<string, readonly CollectionRecord[]>

/** Looks up records, file names and user names in memory. */
export const lookupIn = (stock: Stock): Lookup => ({
  recordOf: (collection, wanted) => stock.get(collection)?.find((record) => record.id === wanted),
  linkingTo: (collection, relation, wanted) =>
    (stock.get(collection) ?? [])
      .filter(({ values }) => [values[relation.id]].flat().includes(wanted))
      .toSorted((left, right) => compareKeyValues(left.id, right.id)),
  fileNameOf: (wanted) => fileNames.get(wanted),
  userNameOf: (wanted) => userNames.get(wanted),
  manualKeyOf: (view, wanted) => (view === ORDERED_VIEW ? manualKeys.get(wanted) : undefined),
})

export const libraryRollups = rollupGraph({
  list: library,
  collectionOf: (id) => library.find((collection) => collection.id === id),
  timeZone: 'UTC',
})

/** The records with the values of their rollups. */
const withRollups = (entered: Stock): Stock =>
  libraryRollups.plans.reduce((known, plan) => {
    const lookup = lookupIn(known)
    const valued = (known.get(plan.home) ?? []).map((record) => ({
      ...record,
      values: { ...record.values, [plan.field.id]: evaluateRollup(plan, record, lookup, 'UTC') },
    }))
    return new Map([...known, [plan.home, valued]])
  }, entered)

const entered: Stock = new Map([
  [books.id, recordsOf(books, BOOK_IDS, 1)],
  [authors.id, recordsOf(authors, AUTHOR_IDS.slice(0, COUNTS.authors), 2)],
  [countries.id, recordsOf(countries, COUNTRY_IDS.slice(0, COUNTS.countries), 3)],
])

/** All records of the library, generated with a fixed seed. */
export const stock = withRollups(entered)
