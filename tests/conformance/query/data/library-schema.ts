import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldKind, OptionsOf } from '#domain/fields/field.ts'

/** Creates a readable ID: `id('b', 7)` is the seventh book. IDs with the same letter sort by number. */
export const id = (letter: string, count: number): string =>
  `00${letter}${String(count).padStart(11, '0')}`.padEnd(26, '0')

let fieldCount = 0

const field = <Kind extends FieldKind>(name: string, kind: Kind, options: OptionsOf[Kind]): Field<Kind> =>
  fieldWithId(id('f', (fieldCount += 1)), { name, kind, options })

type FieldParts<Kind extends FieldKind> = {
  readonly name: string
  readonly kind: Kind
  readonly options: OptionsOf[Kind]
}

function fieldWithId<Kind extends FieldKind>(ownId: string, { name, kind, options }: FieldParts<Kind>): Field<Kind> {
  const shared = {
    id: ownId,
    name,
    label: name,
    kind,
    required: false,
    unique: false,
    default: null,
    options,
  }
  // TypeScript can't narrow the union of fields by `kind`; the options are checked by the parameter type.
  return shared as unknown as Field<Kind>
}

const COLLECTION_IDS = { books: id('k', 1), authors: id('k', 2), countries: id('k', 3) }

/** Options for a book's genre, not in alphabetical order. */
export const GENRES = ['Poetry', 'essay', 'Ünreal', 'crime', '100%'].map((name, at) => ({
  id: id('h', at + 1),
  name,
  color: 'red' as const,
}))

/** Options for a book's tags; one name contains the list separator used in CSV files. */
export const TAGS = ['new', 'Öko', 'a; "b"', 'new arrivals', '_'].map((name, at) => ({
  id: id('t', at + 1),
  name,
  color: 'blue' as const,
}))

/** Options for a book's status. */
export const STAGES = ['wanted', 'ordered', 'Here'].map((name, at) => ({
  id: id('s', at + 1),
  name,
  color: 'green' as const,
}))

/** IDs of the relations that have a reverse side. */
const RELATIONS = {
  country: id('f', 6),
  friends: id('f', 7),
  author: id('f', 18),
  writers: id('f', 19),
  favorite: id('g', 1),
}

const reverse = (count: number, name: string, options: OptionsOf['reverse']): Field<'reverse'> =>
  fieldWithId(id('v', count), { name, kind: 'reverse', options })

type RollupParts = Omit<OptionsOf['rollup'], 'inputs'>

const rollup = (count: number, name: string, options: RollupParts): Field<'rollup'> =>
  fieldWithId(id('w', count), { name, kind: 'rollup', options })

/** IDs of fields that rollups summarize. */
const SUMMARIZED = {
  countryName: id('f', 1),
  population: id('f', 2),
  founded: id('f', 3),
  authorName: id('f', 4),
  active: id('f', 5),
  style: id('f', 9),
  sold: id('f', 14),
  margin: id('f', 21),
}

/** Countries, the last collection on the longest relation path. */
export const countries: Collection = {
  id: COLLECTION_IDS.countries,
  name: 'countries',
  label: 'Countries',
  version: 1,
  titleField: id('f', 1),
  fields: [
    field('name', 'text', {}),
    field('population', 'number', {}),
    field('founded', 'date', {}),
    reverse(1, 'authors', { collection: COLLECTION_IDS.authors, relation: RELATIONS.country }),
  ],
}

/** Authors: books link to one or several of them, and grants restrict access to them in some tests. */
export const authors: Collection = {
  id: COLLECTION_IDS.authors,
  name: 'authors',
  label: 'Authors',
  version: 1,
  titleField: id('f', 4),
  fields: [
    field('name', 'text', {}),
    field('active', 'checkbox', {}),
    field('country', 'relation', { collection: COLLECTION_IDS.countries, many: false }),
    field('friends', 'relation', { collection: COLLECTION_IDS.authors, many: true }),
    field('secret', 'text', {}),
    field('style', 'select', { choices: GENRES }),
    fieldWithId(RELATIONS.favorite, {
      name: 'favorite',
      kind: 'relation',
      options: { collection: COLLECTION_IDS.books, many: false },
    }),
    reverse(2, 'friendOf', { collection: COLLECTION_IDS.authors, relation: RELATIONS.friends }),
    reverse(3, 'books', { collection: COLLECTION_IDS.books, relation: RELATIONS.author }),
    reverse(4, 'shared', { collection: COLLECTION_IDS.books, relation: RELATIONS.writers }),
    rollup(1, 'earned', {
      path: [id('v', 3)],
      field: SUMMARIZED.margin,
      function: 'sum',
      filter: { field: SUMMARIZED.sold, op: '=', value: true },
      result: 'number',
    }),
  ],
}

const WRITTEN_IN = [RELATIONS.writers, RELATIONS.country]

/** A path to numbers, as formulas refer to it. */
const REACH = [...WRITTEN_IN, SUMMARIZED.population].join('.')

/** Books, a collection with a field of every type. */
export const books: Collection = {
  id: COLLECTION_IDS.books,
  name: 'books',
  label: 'Books',
  version: 1,
  titleField: id('f', 10),
  fields: [
    field('title', 'text', {}),
    field('blurb', 'long-text', {}),
    field('body', 'rich-text', {}),
    field('price', 'number', {}),
    field('sold', 'checkbox', {}),
    field('dueOn', 'date', {}),
    field('readAt', 'date-time', {}),
    field('genre', 'select', { choices: GENRES }),
    field('author', 'relation', { collection: COLLECTION_IDS.authors, many: false }),
    field('writers', 'relation', { collection: COLLECTION_IDS.authors, many: true }),
    field('scans', 'files', {}),
    field('margin', 'number', {}),
    field('secret', 'text', {}),
    field('tags', 'multi-select', { choices: TAGS }),
    field('stage', 'state', { choices: STAGES }),
    field('contact', 'email', {}),
    field('site', 'url', {}),
    field('phone', 'phone', {}),
    field('keeper', 'user', { many: false }),
    field('readers', 'user', { many: true }),
    field('number', 'auto-number', {}),
    field('extra', 'json', {}),
    reverse(5, 'fans', { collection: COLLECTION_IDS.authors, relation: RELATIONS.favorite }),
    field('doubled', 'formula', { formula: 'margin * 2 + sum(price) / 1e6', result: 'number' }),
    field('shout', 'formula', { formula: 'upper(title) & "! " & genre', result: 'text' }),
    field('isLate', 'formula', { formula: 'dueOn < today() || doubled > 3', result: 'checkbox' }),
    field('nextOn', 'formula', { formula: 'dateadd(dueOn, margin, "days")', result: 'date' }),
    field('laterAt', 'formula', { formula: 'dateadd(readAt, 1, "month")', result: 'date-time' }),
    field('fame', 'formula', {
      formula: `if(count(${id('v', 5)}) > 0, sum(${REACH}) / count(${id('v', 5)}), margin)`,
      result: 'number',
      linked: [
        { id: id('w', 11), kind: 'rollup', options: { path: [id('v', 5)], function: 'count', result: 'number' } },
        {
          id: id('w', 12),
          kind: 'rollup',
          options: { path: WRITTEN_IN, field: SUMMARIZED.population, function: 'sum', result: 'number' },
        },
      ],
    }),
    rollup(2, 'origin', {
      path: [RELATIONS.author, RELATIONS.country],
      field: SUMMARIZED.countryName,
      function: 'first',
      result: 'text',
    }),
    rollup(3, 'team', { path: [RELATIONS.writers], field: SUMMARIZED.authorName, function: 'join', result: 'text' }),
    rollup(4, 'fanCount', { path: [id('v', 5)], function: 'count', result: 'number' }),
    rollup(5, 'reach', {
      path: [RELATIONS.writers, RELATIONS.country],
      field: SUMMARIZED.population,
      function: 'sum',
      result: 'number',
    }),
    rollup(6, 'lastFounded', {
      path: [RELATIONS.writers, RELATIONS.friends, RELATIONS.country],
      field: SUMMARIZED.founded,
      function: 'max',
      result: 'date',
    }),
    rollup(7, 'anyActive', {
      path: [RELATIONS.writers],
      field: SUMMARIZED.active,
      function: 'any',
      result: 'checkbox',
    }),
    rollup(8, 'authorEarned', { path: [RELATIONS.author], field: id('w', 1), function: 'first', result: 'number' }),
  ],
}

export const library: readonly Collection[] = [books, authors, countries]

/** Names of the files that books link to, by ID. */
export const fileNames: ReadonlyMap<string, string> = new Map(
  ['Cover.PNG', 'scan_1%.pdf', 'Übersicht.pdf', 'notes', '😀.jpg'].map((name, at) => [id('a', at + 1), name]),
)

export const userNames: ReadonlyMap<string, string> = new Map(
  ['Íris', 'anna', 'Anna', 'O’Brien % _', '😀'].map((name, at) => [id('e', at + 1), name]),
)
