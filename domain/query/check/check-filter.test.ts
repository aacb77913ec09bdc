import { describe, expect, test } from 'vitest'
import type { Decision } from '../../access/decide.ts'
import { authors, books, id, library } from '#tests/conformance/query/data/library-schema.ts'
import { contextFor } from '#tests/conformance/query/data/generated-queries.ts'
import { checkFilter, checkStoredFilter } from './check-filter.ts'
import { NO_RECORDS } from './checked-filter.ts'
import type { Filter } from '../filter/filter.ts'
import type { QueryContext } from './query-context.ts'

const message = (filter: string | Filter, context = contextFor()): string => {
  const checked = checkFilter(filter, context)
  return checked.ok ? 'accepted' : checked.fault.message
}

const hiding = (decisions: { readonly [collection: string]: Decision }): QueryContext => ({
  ...contextFor(),
  decisionFor: (collection) => decisions[collection] ?? { allowed: true, hiddenFields: new Set() },
})

const secrets = new Set(
  [...books.fields, ...authors.fields].filter(({ name }) => name === 'secret').map((field) => field.id),
)
const secretId = books.fields.find(({ name }) => name === 'secret')?.id ?? ''
const hidden: Decision = { allowed: true, hiddenFields: secrets }
const HIDDEN = hiding({ [books.id]: hidden, [authors.id]: hidden })

describe('a field the actor can’t read', () => {
  test('is unknown on the right side of a comparison too', () => {
    for (const name of ['secret', 'author.secret', secretId, `author.${secretId}`]) {
      const nowhere = name.replace('secret', 'nowhere').replace(secretId, 'nowhere')
      expect(message(`title = ${name}`, HIDDEN).replaceAll(/secret|00f\w+/g, 'nowhere')).toBe(
        message(`title = ${nowhere}`, HIDDEN),
      )
      expect(message({ field: 'title', op: '=', value: { field: name } }, HIDDEN)).toMatch(/^There is no field/)
    }
    expect(message('title = secret')).toBe('accepted')
    expect(message('title = secrt', HIDDEN)).not.toContain('mean')
  })

  test('gets the same error as a missing field', () => {
    for (const name of ['secret', 'author.secret', secretId, 'secrets', `author.${secretId}`]) {
      const shown = name.split('.').at(-1) ?? ''
      expect(message(`${name} = "x"`, HIDDEN)).toBe(
        `At character 1: There is no field “${shown}” in ${name.includes('.') ? 'Authors' : 'Books'}.`,
      )
    }
    expect(message('secret = "x"')).toBe('accepted')
  })

  test('is never suggested', () => {
    expect(message('secrt = "x"')).toContain('Did you mean “secret”?')
    expect(message('secrt = "x"', HIDDEN)).not.toContain('mean')
    expect(message('author.secre ~ "x"', HIDDEN)).not.toContain('mean')
  })

  test('isn’t revealed through operators, values or order', () => {
    expect(message('secret > 1', HIDDEN)).toBe(message('nowhere > 1', HIDDEN).replace('nowhere', 'secret'))
    expect(message('secret.name > 1', HIDDEN)).toBe(message('nowhere.name > 1', HIDDEN).replace('nowhere', 'secret'))
  })

  test('used as a title field is replaced by the ID', () => {
    const titles = hiding({
      [authors.id]: { allowed: true, hiddenFields: new Set(authors.titleField === null ? [] : [authors.titleField]) },
    })
    const checked = checkFilter('author ~ "x"', titles)
    expect(checked).toMatchObject({ ok: true, value: { leaf: { type: 'system', field: 'id' } } })
  })

  test('can still be used in a stored condition', () => {
    expect(checkStoredFilter({ field: 'author.secret', op: '=', value: 'x' }, HIDDEN)).toMatchObject({
      type: 'compare',
    })
  })
})

describe('a collection the actor can’t read', () => {
  const closed = hiding({ [authors.id]: { allowed: false } })

  test('has no fields', () => {
    expect(message('author.name = "x"', closed)).toBe(
      'At character 1: “author” isn’t a linked record field, so it can’t be followed by “name”.',
    )
  })

  test('has no titles', () => {
    expect(checkFilter('author ~ "x"', closed)).toEqual({ ok: true, value: NO_RECORDS })
    expect(checkFilter('author !~ "x"', closed)).toMatchObject({ ok: true, value: { type: 'all', of: [] } })
  })
})

describe('a stored condition that is no longer valid', () => {
  test('matches nothing', () => {
    expect(checkStoredFilter({ field: 'gone', op: '=', value: 1 }, contextFor())).toEqual(NO_RECORDS)
  })
})

describe('an invalid filter', () => {
  test.each([
    ['titel = "x"', 'At character 1: There is no field “titel” in Books. Did you mean “title”?'],
    ['price = 1 && titel = "x"', 'At character 14: There is no field “titel” in Books. Did you mean “title”?'],
    ['title.name = "x"', 'At character 1: “title” isn’t a linked record field, so it can’t be followed by “name”.'],
    [
      'author.country.name.x = 1',
      'At character 1: “name” isn’t a linked record field, so it can’t be followed by “x”.',
    ],
    ['author.friends.friends.friends.name = "x"', 'At character 1: A path can contain at most 3 linked record fields.'],
    ['price ~ "1"', 'At character 7: “price” contains a number, which ~ doesn’t support.'],
    ['sold > true', 'At character 6: “sold” contains true or false, which > doesn’t support.'],
    ['body = "x"', 'At character 6: “body” contains formatted text, which = doesn’t support.'],
    ['title = 5', 'At character 9: “title”: Expected text in double quotes.'],
    ['price = "5"', 'At character 9: “price”: Expected a number without quotes.'],
    ['sold = "yes"', 'At character 8: “sold”: Expected true or false.'],
    ['dueOn = "tomorrow"', 'At character 9: “dueOn”: Expected a date such as "2026-03-01" or @today-7d.'],
    ['dueOn = @today-2h', 'At character 9: “dueOn”: Expected a date such as "2026-03-01" or @today-7d.'],
    ['dueOn = "2026-02-30"', 'At character 9: “dueOn”: Expected a date such as "2026-03-01" or @today-7d.'],
    [
      'readAt > "2026-03-01T10:00"',
      'At character 10: “readAt”: Expected a date, or a date and time, such as "2026-03-01", "2026-03-01T14:30:00Z" or @now-2h.',
    ],
    ['author = "Zoë"', 'At character 10: “author”: Expected an ID of 26 letters and digits.'],
    [
      'genre = "novel"',
      'At character 9: “genre”: “novel” isn’t one of the options (“Poetry”, “essay”, “Ünreal”, “crime”, “100%”).',
    ],
    ['title = "\0"', 'At character 9: “title”: The text contains a null character (U+0000), which can’t be stored.'],
    ['extra ~ "x"', 'At character 7: “extra” contains JSON, which ~ doesn’t support.'],
    ['keeper < "x"', 'At character 8: “keeper” contains people, which < doesn’t support.'],
    ['stage = "lost"', 'At character 9: “stage”: “lost” isn’t one of the options (“wanted”, “ordered”, “Here”).'],
  ])('%j is rejected with its position', (filter, fault) => {
    expect(message(filter)).toBe(fault)
  })

  test('given as a tree is rejected with the path of the error', () => {
    const filter: Filter = {
      all: [{ field: 'price', op: '=', value: 1 }, { any: [{ field: 'nope', op: 'is empty' }] }],
    }
    expect(checkFilter(filter, contextFor())).toMatchObject({
      fault: { path: 'filter.all.1.any.0', code: 'invalid-filter' },
    })
  })

  test('given as a tree is rejected if a value has the wrong shape', () => {
    expect(message({ field: 'price', op: '=' })).toBe('Expected one value after =.')
    expect(message({ field: 'price', op: 'in', value: 1 })).toBe('Expected a list of values after in.')
    expect(message({ field: 'price', op: 'between', value: [1] })).toBe('Expected a pair of values after between.')
    expect(message({ field: 'price', op: 'is empty', value: 1 })).toBe('Expected no value after is empty.')
  })

  test('is rejected if it is too deep or too wide, or has too many values', () => {
    let deep: Filter = { field: 'price', op: 'is empty' }
    for (let level = 0; level < 9; level += 1) deep = { all: [deep] }
    expect(message(deep)).toBe('Groups are nested deeper than 8 levels.')
    expect(message({ any: Array.from({ length: 201 }, () => ({ field: 'price', op: 'is empty' as const })) })).toBe(
      'A filter can have at most 200 comparisons.',
    )
    expect(message({ field: 'price', op: 'in', value: Array.from({ length: 2001 }, (_, at) => at) })).toBe(
      'A filter can have at most 2000 values.',
    )
  })
})

describe('field and option names in a filter', () => {
  test('can be replaced by IDs, so filters survive renames', () => {
    const byId = books.fields.find(({ name }) => name === 'author')?.id ?? ''
    const nameId = authors.fields.find(({ name }) => name === 'name')?.id ?? ''
    expect(checkFilter(`${byId}.${nameId} = "x"`, contextFor())).toEqual(checkFilter('author.name = "x"', contextFor()))
  })

  test('can be the ID of a deleted option', () => {
    expect(checkFilter(`genre = "${id('h', 99)}"`, contextFor())).toMatchObject({
      ok: true,
      value: { test: { values: [] } },
    })
  })

  test('match nothing when compared with @me if there is no user', () => {
    const checked = checkFilter('createdBy = @me', { ...contextFor(), actorId: null })
    expect(checked).toMatchObject({ ok: true, value: { test: { is: 'oneOf', values: [''] } } })
  })

  test('can follow relations only to existing collections', () => {
    const alone = { ...contextFor(), collectionOf: () => undefined }
    expect(message('author.name = "x"', alone)).toContain(
      'At character 1: “author” isn’t a linked record field, so it can’t be followed by “name”.',
    )
    expect(library).toContain(authors)
  })
})

describe('a comparison of two fields', () => {
  test.each([
    ['price <= margin', 'accepted'],
    ['number > price', 'accepted'],
    ['title = contact', 'accepted'],
    ['sold = author.active', 'accepted'],
    ['keeper != createdBy', 'accepted'],
    ['author = writers', 'accepted'],
    ['author.friends = writers.id', 'accepted'],
    ['genre >= genre', 'accepted'],
    ['genre = author.style', 'accepted'],
    ['sold = TRUE', 'accepted'],
    ['title < phone', 'At character 9: “title” contains a text and “phone” a phone number, which can’t be compared.'],
    ['price = title', 'At character 9: “price” contains a number and “title” a text, which can’t be compared.'],
    ['scans = scans', 'At character 9: “scans” contains attached files, which can’t be compared with a field.'],
    ['extra = extra', 'At character 7: “extra” contains JSON, which = doesn’t support.'],
    ['sold > sold', 'At character 6: “sold” contains true or false, which > doesn’t support.'],
    ['id < author', 'At character 6: “id” and “author” refer to records of different collections.'],
    ['author.id < author', 'At character 13: “author” contains linked records, which < doesn’t support.'],
    [
      'author = author.country',
      'At character 10: “author” and “author.country” refer to records of different collections.',
    ],
    [
      'genre > author.style',
      'At character 9: “genre” and “author.style” have different options, so they can only be compared with = and !=.',
    ],
    ['price = titel', 'At character 9: There is no field “titel” in Books. Did you mean “title”?'],
    ['title = Apfel', 'At character 9: There is no field “Apfel” in Books. Put text in double quotes: "Apfel".'],
    ['price = null', 'At character 9: There is no field “null” in Books. Did you mean “price is empty”?'],
    ['title ~ blurb', 'At character 9: ~ needs text in double quotes: ~ "blurb".'],
  ])('%s: %s', (filter, answer) => {
    expect(message(filter)).toBe(answer)
  })

  test('has a limited number of relations and options', () => {
    expect(message('author.country.name = writers.name')).toBe('accepted')
    expect(message('author.country.name = writers.country.name')).toBe(
      'At character 23: The two paths together can contain at most 3 linked record fields.',
    )
    const many = Array.from({ length: 1000 }, (_, at) => ({ id: id('z', at), name: `o${at}`, color: 'red' as const }))
    const fields = books.fields.map((field) =>
      field.kind === 'select' ? { ...field, options: { choices: many } } : field,
    )
    const context = { ...contextFor(), collection: { ...books, fields } }
    const TOO_MANY = 'The conditions match more than 4000 options in total.'
    for (const [one, max] of [
      ['genre >= "o0"', 4],
      ['genre ~ "o"', 4],
      ['genre <= genre', 2],
    ] as const) {
      const times = (count: number) => Array.from({ length: count }, () => one).join(' && ')
      expect(message(times(max), context)).toBe('accepted')
      expect(message(times(max + 1), context)).toContain(TOO_MANY)
    }
    expect(message(Array.from({ length: 200 }, () => 'genre = genre').join(' && '), context)).toBe('accepted')
  })

  test('is rejected for operators that don’t take a single value', () => {
    expect(message({ field: 'price', op: 'in', value: { field: 'margin' } })).toBe(
      'Expected a list of values after in.',
    )
    expect(message({ field: 'price', op: 'between', value: { field: 'margin' } })).toBe(
      'Expected a pair of values after between.',
    )
    expect(message({ field: 'price', op: 'is empty', value: { field: 'margin' } })).toBe(
      'Expected no value after is empty.',
    )
  })
})
