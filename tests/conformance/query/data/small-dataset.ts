import type { Collection } from '#domain/collections/collection.ts'
import type { FieldValue } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { documentOfText } from '#domain/rich-text/plain-text.ts'
import { authors, books, countries, id } from './library-schema.ts'
import type { Stock } from './generated-values.ts'

/** Short names for the IDs used in the cases. */
export const bookId = (count: number): string => id('b', count)
const authorId = (count: number): string => id('m', count)

type Named = { readonly [field: string]: FieldValue }

function record(collection: Collection, letter: string, count: number, values: Named): CollectionRecord {
  const at = `2026-01-0${count}T00:00:00.000Z`
  const stamps = { createdAt: at, createdBy: null, updatedAt: at, updatedBy: null }
  const own = collection.fields.map((field) => [field.id, values[field.name] ?? emptyValue(field)])
  return { id: id(letter, count), collection: collection.id, version: 1, ...stamps, values: Object.fromEntries(own) }
}

const genre = (place: number): string => id('h', place)
const scan = (count: number): string => id('a', count)
const tag = (place: number): string => id('t', place)
const stage = (place: number): string => id('s', place)
const user = (count: number): string => id('e', count)

/** Six books, three authors and two countries: few enough to determine the results of a query by hand. */
export const smallDataset: Stock = new Map([
  [
    books.id,
    [
      record(books, 'b', 1, {
        title: 'Äpfel',
        blurb: '100% sure',
        body: documentOfText('Hello\nWörld'),
        price: 2.5,
        sold: true,
        dueOn: '2026-03-29',
        readAt: '2026-03-28T22:59:59.999Z',
        genre: genre(4),
        author: authorId(1),
        writers: [authorId(2), authorId(1)],
        scans: [scan(1), scan(2)],
        margin: 0.1,
        tags: [tag(2), tag(3)],
        stage: stage(3),
        contact: 'anna@example.org',
        site: 'https://example.org/a',
        phone: '+43 1 234-56 78',
        keeper: user(2),
        readers: [user(1), user(4)],
        number: 10,
        extra: '{"a":1}',
      }),
      record(books, 'b', 2, {
        title: 'apfel',
        blurb: '100x sure',
        price: -1,
        dueOn: '2026-03-28',
        readAt: '2026-03-28T23:00:00.000Z',
        genre: genre(1),
        author: authorId(2),
        writers: [authorId(1)],
        margin: 0.2,
        secret: 'kept',
        tags: [tag(2)],
        stage: stage(1),
        contact: 'ida@example.org',
        phone: '(01) 234 56',
        keeper: user(1),
        readers: [user(2)],
        number: 9,
      }),
      record(books, 'b', 3, { tags: [tag(1), tag(5)], stage: stage(1), keeper: user(3), number: 100, extra: '[]' }),
      record(books, 'b', 4, {
        title: '😀',
        price: 100,
        sold: true,
        dueOn: '2026-02-28',
        readAt: '2026-03-29T21:59:59.999Z',
        genre: genre(2),
        author: authorId(3),
        writers: [authorId(3)],
        scans: [scan(3)],
      }),
      record(books, 'b', 5, {
        title: '～',
        blurb: 'a_b',
        price: 2.5,
        dueOn: '2025-03-29',
        readAt: '2026-03-29T22:00:00.000Z',
        genre: genre(5),
        author: authorId(9),
        margin: 0.3,
      }),
      record(books, 'b', 6, { title: 'Apfel', blurb: 'axb "quoted" \\ end', price: 0 }),
    ],
  ],
  [
    authors.id,
    [
      record(authors, 'm', 1, {
        name: 'Ödön',
        active: true,
        country: id('n', 1),
        style: genre(1),
        favorite: bookId(2),
      }),
      record(authors, 'm', 2, { name: 'Zoë', country: id('n', 2), friends: [authorId(1)], favorite: bookId(1) }),
      record(authors, 'm', 3, { active: true, favorite: bookId(1) }),
    ],
  ],
  [
    countries.id,
    [
      record(countries, 'n', 1, { name: 'Österreich', population: 9, founded: '1955-05-15' }),
      record(countries, 'n', 2, { name: 'Japan', population: 123 }),
    ],
  ],
])
