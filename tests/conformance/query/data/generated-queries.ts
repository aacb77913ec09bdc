import fc from 'fast-check'
import type { Decision } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { checkFilter } from '#domain/query/check/check-filter.ts'
import { type Filter, type FilterLiteral, OPERATORS, type Operator } from '#domain/query/filter/filter.ts'
import { OPERATOR_RULES, type OperandKind, takesKind } from '#domain/query/filter/operators.ts'
import { GROUP_INTERVALS } from '#domain/query/list/aggregates.ts'
import { MAX_FILTER_DEPTH, MAX_FILTER_LENGTH, MAX_GROUP_LISTS } from '#domain/query/query-limits.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import type { QueryContext } from '#domain/query/check/query-context.ts'
import type { RecordsQueryInput } from '#domain/query/list/records-query.ts'
import { foldText } from '#domain/shared/text.ts'
import { GENRES, STAGES, TAGS, authors, books, countries, fileNames, library, userNames } from './library-schema.ts'
import {
  AUTHOR_IDS,
  BOOK_IDS,
  COUNTED,
  COUNTRY_IDS,
  DAYS,
  EMAILS,
  INSTANTS,
  NUMBERS,
  PHONES,
  TEXTS,
  URLS,
  USERS,
} from './generated-values.ts'

/** All paths available to a filter on books, with their types. */
const PATHS: readonly (readonly [path: string, kind: OperandKind])[] = [
  ['id', 'id'],
  ['createdAt', 'date-time'],
  ['createdBy', 'user'],
  ['updatedBy', 'user'],
  ...books.fields.map((field) => [field.name, valueField(field).kind] as const),
  ['author.id', 'id'],
  ['author.createdBy', 'user'],
  ['author.country.name', 'text'],
  ['author.country.founded', 'date'],
  ['author.friends.active', 'checkbox'],
  ['writers.country', 'relation'],
  ['writers.friends.country.population', 'number'],
  ['author.friends.friends.name', 'text'],
  ['writers.friends.friends.country', 'relation'],
  ['fans.name', 'text'],
  ['fans.friendOf', 'reverse'],
  ['fans.country.population', 'number'],
  ['author.books.price', 'number'],
  ['author.books.tags', 'multi-select'],
  ['writers.shared.title', 'text'],
  ['writers.friendOf.active', 'checkbox'],
  ['author.country.authors', 'reverse'],
  ['author.country.authors.style', 'select'],
  ...['author', 'writers'].flatMap((relation) =>
    authors.fields.map((field) => [`${relation}.${field.name}`, valueField(field).kind] as const),
  ),
]

const NAMES: readonly string[] = [GENRES, TAGS, STAGES]
  .flatMap((choices) => choices.map(({ name }) => name))
  .concat([...fileNames.values(), ...userNames.values()], EMAILS, URLS, PHONES, COUNTED.map(String))

/** Substrings of stored texts, used as search terms. */
const piece = fc
  .tuple(fc.constantFrom(...TEXTS, ...NAMES), fc.nat(6), fc.nat(4))
  .map(([text, from, length]) => [...text].slice(from, from + length + 1).join(''))

/** A stored text with its last character decremented: a prefix search for the result must exclude the stored text. */
const neighbour = fc.constantFrom(...TEXTS.filter((text) => text.length < 9)).map((text) => {
  const points = [...foldText(text)]
  const last = points.pop()?.codePointAt(0) ?? 0
  return last > 33 && last < 0xd800 ? points.join('') + String.fromCodePoint(last - 1) : text
})

const MARKERS = ['@today', '@today-1d', '@today+2w', '@today-1m', '@today-1y', '@now']

function literalFor(kind: OperandKind, path: string): fc.Arbitrary<FilterLiteral> {
  switch (kind) {
    case 'formula':
    case 'lookup':
    case 'count':
    case 'rollup':
      throw new Error('Calculated fields are compared like their results.')
    case 'text':
    case 'long-text':
    case 'rich-text':
    case 'json':
      return fc.constantFrom(...TEXTS)
    case 'email':
      return fc.constantFrom(...EMAILS, 'Anna@Example.ORG', 'm')
    case 'url':
      return fc.constantFrom(...URLS, 'HTTPS://Example.ORG:443', 'example.org', 'i')
    case 'phone':
      return fc.constantFrom(...PHONES, '+43  1 234 56 78', '2')
    case 'auto-number':
      return fc.constantFrom(...COUNTED, 2.5, -1)
    case 'number':
      return fc.constantFrom(...NUMBERS)
    case 'checkbox':
      return fc.boolean()
    case 'date':
      return fc.oneof(fc.constantFrom(...DAYS), markers)
    case 'date-time':
      return fc.oneof(fc.constantFrom(...INSTANTS, ...DAYS), markers, fc.constant({ marker: '@now-3h' }))
    case 'select':
      return fc.constantFrom(...GENRES.flatMap((choice) => [choice.id, choice.name]))
    case 'multi-select':
      return fc.constantFrom(...TAGS.flatMap((choice) => [choice.id, choice.name]))
    case 'state':
      return fc.constantFrom(...STAGES.flatMap((choice) => [choice.id, choice.name]))
    case 'reverse':
      return fc.constantFrom(...(/(?:books|shared)$/.test(path) ? BOOK_IDS : AUTHOR_IDS))
    case 'relation':
      if (path.endsWith('favorite')) return fc.constantFrom(...BOOK_IDS)
      return fc.constantFrom(...(path.endsWith('country') ? COUNTRY_IDS : AUTHOR_IDS))
    case 'files':
      return fc.constantFrom(...fileNames.keys())
    case 'id':
      return fc.constantFrom(...(path === 'id' ? BOOK_IDS : AUTHOR_IDS))
    case 'user':
      return fc.oneof(fc.constantFrom(...USERS), fc.constant({ marker: '@me' }))
  }
}

const markers = fc.constantFrom(...MARKERS).map((marker) => ({ marker }))

const READS_TEXT: ReadonlySet<Operator> = new Set(['~', '!~', '^=', '$='])

function comparisonOf(path: string, kind: OperandKind, op: Operator): fc.Arbitrary<Filter> {
  const literal = READS_TEXT.has(op) ? fc.oneof(piece, fc.constantFrom(...TEXTS), neighbour) : literalFor(kind, path)
  switch (OPERATOR_RULES[op].takes) {
    case 'nothing':
      return fc.constant({ field: path, op })
    case 'one':
      return literal.map((value) => ({ field: path, op, value }))
    case 'list':
      return fc.array(literal, { minLength: 1, maxLength: 4 }).map((value) => ({ field: path, op, value }))
    case 'pair':
      return fc.tuple(literal, literal).map((value) => ({ field: path, op, value }))
  }
}

const PAIR_SIGNS = ['=', '!=', '<', '<=', '>', '>='] as const

/** All valid comparisons of a path with another path. */
function pairsOf(path: string): fc.Arbitrary<Filter>[] {
  const context = contextFor()
  const pairs = PATHS.flatMap(([right]) =>
    PAIR_SIGNS.map((op): Filter => ({ field: path, op, value: { field: right } })).filter(
      (pair) => checkFilter(pair, context).ok,
    ),
  )
  return pairs.length === 0 ? [] : [fc.constantFrom(...pairs)]
}

/** Conditions with functions and arithmetic. */
const FORMULAS = [
  'len(title) > 3',
  'price * 2 - margin > 1',
  'not(sold)',
  'doubled + 1 > 3',
  'lower(shout) ~ "a"',
  'is_empty(genre)',
  'dateadd(dueOn, 1, "month") < today()',
  'when_empty(readAt, now()) >= now()',
  'if(sold, margin, price) between 1 and round(price) + 3',
  'genre & contact & phone != title',
  '-margin in (1, -2, number)',
].map((formula) => ({ formula }))

/**
 * One generator per kind of condition, with equal probability: each operator with each path that accepts it,
 * comparisons between paths, and formulas.
 */
const CONDITIONS = [
  ...PATHS.flatMap(([path, kind]) =>
    OPERATORS.filter((op) => takesKind(op, kind)).map((op) => comparisonOf(path, kind, op)),
  ),
  ...PATHS.flatMap(([path]) => pairsOf(path)),
  ...FORMULAS.map((formula) => fc.constant<Filter>(formula)),
]

/** One arbitrary for each valid combination of field type and operator. */
export const conditions: readonly fc.Arbitrary<Filter>[] = CONDITIONS

const condition = fc.oneof(...CONDITIONS)

const shallow: fc.Arbitrary<Filter> = fc.letrec<{ tree: Filter }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    condition,
    fc.array(tie('tree'), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('tree'), { maxLength: 3 }).map((any) => ({ any })),
  ),
})).tree

/** Condition trees with the maximum depth and more conditions than users would write. */
const deep: fc.Arbitrary<Filter> = fc
  .tuple(shallow, fc.array(condition, { minLength: 1, maxLength: MAX_FILTER_DEPTH - 2 }))
  .map(([core, shells]) =>
    shells.reduce<Filter>(
      (inner, shell, at) => (at % 2 === 0 ? { all: [shell, inner] } : { any: [inner, shell] }),
      core,
    ),
  )

/** Condition trees: most have up to three levels, some reach the maximum depth. */
export const filters: fc.Arbitrary<Filter> = fc.oneof({ weight: 9, arbitrary: shallow }, { weight: 1, arbitrary: deep })

const SORTABLE = [
  'id',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  ...books.fields.filter(({ kind }) => kind !== 'json').map(({ name }) => name),
  'author.country',
  'writers.name',
  'author.friends',
  'author.books.price',
  'writers.friendOf',
]

const sortItem = fc.tuple(fc.constantFrom('', '-'), fc.constantFrom(...SORTABLE)).map(([sign, path]) => sign + path)

/** Sort orders with up to three fields. */
export const sorts: fc.Arbitrary<string> = fc.array(sortItem, { maxLength: 3 }).map((items) => items.join(','))

const GROUPABLE =
  'title margin doubled shout isLate nextOn laterAt sold dueOn readAt genre author createdBy stage contact site phone keeper number origin team fanCount reach lastFounded anyActive authorEarned'.split(
    ' ',
  )

const SEVERAL = ['writers', 'tags', 'readers', 'fans']

/** Group-by clauses with up to three fields, of which up to two have several values. */
export const groupings: fc.Arbitrary<string> = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom('', '-'), fc.oneof(fc.constantFrom(...GROUPABLE), fc.constantFrom(...SEVERAL))),
    { minLength: 1, maxLength: 3, selector: ([, path]) => path },
  )
  .filter((items) => items.filter(([, path]) => SEVERAL.includes(path)).length <= MAX_GROUP_LISTS)
  .map((items) => items.map(([sign, path]) => sign + path).join(','))

/** Group-by clauses in which dates can have intervals. */
export const intervalGroupings: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.constantFrom('dueOn', 'readAt', 'createdAt', 'updatedAt'),
    fc.constantFrom(...GROUP_INTERVALS),
    fc.constantFrom('', ...GROUPABLE, ...SEVERAL),
  )
  .map(([sign, path, interval, more]) => `${sign}${path}:${interval}${more && `,${more}`}`)

/** Search texts consisting of words and quoted phrases. */
export const searches: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      piece,
      piece.map((text) => `"${text}"`),
    ),
    { maxLength: 2 },
  )
  .map((words) => words.join(' '))

/** Conditions for reading fields, by collection and field name. */
type PartlyThere = { readonly [collection: string]: { readonly [field: string]: Filter } }

/** The data that the actor can read: everything, or only some books, authors and fields. */
export type Sight = {
  readonly books: Filter | undefined
  readonly authors: Filter | undefined
  readonly partly?: PartlyThere | undefined
}

const holding = (field: string, op: Operator, value?: FilterLiteral): Filter => ({
  field,
  op,
  ...(value !== undefined && { value }),
})

/** Conditions on each collection's records: on its own fields and on related records. */
const CONDITIONS_IN = {
  books: [
    holding('sold', '=', true),
    holding('price', '>', 2),
    holding('title', '~', 'a'),
    holding('tags', 'is not empty'),
    holding('scans', '!~', 'pdf'),
    holding('keeper', '!=', { marker: '@me' }),
    holding('readers', '~', 'a'),
    holding('author.active', '=', true),
    holding('writers.country.name', '!~', 'a'),
    holding('fans.active', '=', true),
    holding('id', 'is empty'),
  ],
  authors: [
    holding('active', '=', true),
    holding('secret', 'is empty'),
    holding('friends.active', '!=', true),
    holding('country.population', '>', 2),
    holding('books.price', '>', 2),
    holding('friendOf', 'is not empty'),
  ],
  countries: [holding('population', '>', 2), holding('founded', 'is empty')],
}

/** Some fields of a collection, each readable under a condition. */
const partlyIn = (collection: Collection, conditionsIn: readonly Filter[]): fc.Arbitrary<PartlyThere[string]> =>
  fc.dictionary(fc.constantFrom(...collection.fields.map(({ name }) => name)), fc.constantFrom(...conditionsIn), {
    maxKeys: 6,
    noNullPrototype: true,
  })

const partly: fc.Arbitrary<PartlyThere> = fc.record({
  books: fc.oneof(
    { weight: 5, arbitrary: partlyIn(books, CONDITIONS_IN.books) },
    { weight: 1, arbitrary: condition.map((any) => Object.fromEntries(books.fields.map(({ name }) => [name, any]))) },
  ),
  authors: partlyIn(authors, CONDITIONS_IN.authors),
  countries: partlyIn(countries, CONDITIONS_IN.countries),
})

/** Combinations of grants, with and without conditions; half of them make some fields conditionally readable. */
export const sights: fc.Arbitrary<Sight> = fc.record({
  books: fc.constantFrom<Filter | undefined>(undefined, { field: 'secret', op: 'is not empty' }),
  authors: fc.constantFrom<Filter | undefined>(
    undefined,
    { field: 'active', op: '=', value: true },
    { field: 'country.name', op: '~', value: 'a' },
  ),
  partly: fc.oneof(fc.constant(undefined), partly),
})

/** Converts a filter to text, unless the text would be too long. */
function asText(filter: Filter): Filter | string {
  const text = printFilter(filter)
  return text.length > MAX_FILTER_LENGTH ? filter : text
}

/** The part of an access decision that covers conditionally readable fields. */
function partlyHidden(wanted: string, { partly }: Sight): { readonly partlyHidden?: ReadonlyMap<string, Filter> } {
  const collection = library.find(({ id }) => id === wanted)
  const named = partly?.[collection?.name ?? ''] ?? {}
  const found = collection?.fields.filter(({ name }) => named[name] !== undefined) ?? []
  if (found.length === 0) return {}
  return { partlyHidden: new Map(found.flatMap(({ id, name }) => (named[name] ? [[id, named[name]]] : []))) }
}

/** A query input; its filter is either a tree or the equivalent text. */
export const questions: fc.Arbitrary<RecordsQueryInput> = fc.record({
  filter: fc.oneof(filters, filters.map(asText), fc.constant('')),
  sort: sorts,
  search: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: searches }),
  perPage: fc.constant(500),
})

/** The query context for an actor in Vienna on the day when daylight saving time starts. */
export function contextFor(sight: Sight = { books: undefined, authors: undefined }): QueryContext {
  const bounds = new Map([
    [books.id, sight.books],
    [authors.id, sight.authors],
  ])
  return {
    collection: books,
    collectionOf: (wanted) => library.find((collection) => collection.id === wanted),
    decisionFor: (wanted): Decision => {
      const where = bounds.get(wanted)
      return { allowed: true, hiddenFields: new Set(), ...(where && { where }), ...partlyHidden(wanted, sight) }
    },
    now: new Date('2026-03-29T12:00:00.000Z'),
    timeZone: 'Europe/Vienna',
    workspaceTimeZone: 'Europe/Vienna',
    actorId: USERS[0] ?? null,
  }
}
