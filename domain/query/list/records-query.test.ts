import { describe, expect, test } from 'vitest'
import { ask } from '#tests/conformance/query/agreement.ts'
import { authors, books, id } from '#tests/conformance/query/data/library-schema.ts'
import { contextFor } from '#tests/conformance/query/data/generated-queries.ts'
import { checkGroupQuery } from './group.ts'
import { type RecordsQueryInput, checkRecordsQuery, cursorAfter } from './records-query.ts'
import { searchTerms } from './search.ts'
import { parseSort } from './sort.ts'

const fault = (input: Partial<RecordsQueryInput>) => {
  const checked = checkRecordsQuery({ perPage: 10, ...input }, contextFor())
  return checked.ok ? 'accepted' : checked.fault
}

describe('a cursor', () => {
  const ordered = { sort: '-price,title', filter: 'sold = true', perPage: 10 }
  const key = [2.5, 'apfel & co.', 'Äpfel & Co.', id('b', 1)]
  const cursor = cursorAfter(ask(ordered), 10, key)

  test('round-trips its position', () => {
    expect(ask({ ...ordered, cursor }).page).toEqual({ ordinal: 10, after: key, skip: 0, limit: 10 })
    const atEmpty = cursorAfter(ask(ordered), 10, [null, null, null, id('b', 1)])
    expect(ask({ ...ordered, cursor: atEmpty }).page.after).toEqual([null, null, null, id('b', 1)])
  })

  test('needs no URL escaping', () => {
    expect(encodeURIComponent(cursor)).toBe(cursor)
  })

  test('for another filter, sort or search is rejected', () => {
    for (const other of [
      { ...ordered, filter: '' },
      { ...ordered, sort: 'price' },
      { ...ordered, search: 'x' },
    ]) {
      expect(fault({ ...other, cursor })).toMatchObject({ code: 'invalid-cursor', path: 'cursor' })
    }
  })

  test('remains valid if the page size changes', () => {
    expect(ask({ ...ordered, perPage: 50, cursor }).page.limit).toBe(50)
  })

  test('is rejected after tampering', () => {
    const { fingerprint } = ask(ordered)
    for (const broken of [
      '',
      'x',
      `${fingerprint}`,
      `${fingerprint}.x`,
      `${fingerprint}.1.n2`,
      `${fingerprint}.1.tx.ta.tb.tc`,
      `${fingerprint}.1.n.ta.tb.tc`,
      `${fingerprint}.1.n1.t_0000.tb.tc`,
      `${fingerprint}.1.nNaN.ta.tb.tc`,
    ]) {
      expect(fault({ ...ordered, cursor: broken })).toMatchObject({ code: 'invalid-cursor' })
    }
  })

  test('falls back to the record’s ordinal if the sort key is too long', () => {
    const long = cursorAfter(ask(ordered), 10, [1, 'x'.repeat(5_000), 'x'.repeat(5_000), id('b', 1)])
    expect(long.length).toBeLessThan(100)
    expect(ask({ ...ordered, cursor: long }).page).toEqual({ ordinal: 10, after: null, skip: 0, limit: 10 })
  })

  test('for another time zone is rejected', () => {
    const elsewhere = { ...contextFor(), timeZone: 'Asia/Tokyo' }
    expect(checkRecordsQuery({ ...ordered, cursor }, elsewhere)).toMatchObject({ fault: { code: 'invalid-cursor' } })
  })

  test('keeps its original @today after midnight, while stored conditions use the current date', () => {
    const where = { field: 'dueOn', op: '=', value: { marker: '@today' } } as const
    const at = (now: string) => ({ ...contextFor({ books: where, authors: undefined }), now: new Date(now) })
    const [evening, night] = [at('2026-03-29T21:59:00.000Z'), at('2026-03-29T22:01:00.000Z')]
    const input = { filter: 'dueOn <= @today', perPage: 10 }

    const first = checkRecordsQuery(input, evening)
    const made = first.ok ? cursorAfter(first.value, 10, [id('b', 1)]) : ''
    const second = checkRecordsQuery({ ...input, cursor: made }, night)
    expect(second).toMatchObject({
      value: {
        where: {
          of: [
            { test: { is: 'oneOf', values: ['2026-03-30'] } },
            { test: { is: 'within', ranges: [{ to: { value: '2026-03-29', isIncluded: true } }] } },
          ],
        },
      },
    })
    const next = second.ok ? cursorAfter(second.value, 10, [id('b', 2)]) : ''
    expect(checkRecordsQuery({ ...input, cursor: next }, night)).toMatchObject({
      value: { page: { ordinal: 20, asOfMs: evening.now.getTime() } },
    })
  })

  test('keeps its original today() in formulas of filters and sort orders', () => {
    const at = (now: string) => ({ ...contextFor(), now: new Date(now), workspaceTimeZone: 'Europe/Vienna' })
    const [evening, night] = [at('2026-03-29T21:59:00.000Z'), at('2026-03-29T22:01:00.000Z')]
    for (const input of [
      { filter: 'dueOn < today()', perPage: 10 },
      { filter: 'isLate = true', perPage: 10 },
      { sort: '-isLate', perPage: 10 },
    ]) {
      const first = checkRecordsQuery(input, evening)
      if (!first.ok) throw new Error(first.fault.message)
      const cursor = cursorAfter(first.value, 10, input.sort === undefined ? [id('b', 1)] : [0, id('b', 1)])
      const { where, sort, page } = first.value
      expect(page.asOfMs).toBe(evening.now.getTime())
      const second = checkRecordsQuery({ ...input, cursor }, night)
      expect(second).toMatchObject({ value: { where, sort, page: { ordinal: 10, asOfMs: page.asOfMs } } })
    }
  })

  test('with a future or missing timestamp is rejected', () => {
    const byClock = { filter: 'dueOn = @today', perPage: 10 }
    const made = cursorAfter(ask(byClock), 10, [id('b', 1)])
    const moment = String(contextFor().now.getTime())
    expect(fault({ ...byClock, cursor: made })).toBe('accepted')
    expect(fault({ ...byClock, cursor: made.replace(moment, `${moment}0`) })).toMatchObject({ code: 'invalid-cursor' })
    expect(fault({ ...byClock, cursor: made.replace(`~${moment}`, '') })).toMatchObject({ code: 'invalid-cursor' })
    expect(fault({ ...ordered, cursor: cursor.replace('.10.', '.10~5.') })).toMatchObject({ code: 'invalid-cursor' })
  })

  test('can’t be combined with a page number', () => {
    expect(fault({ ...ordered, cursor, page: 2 })).toMatchObject({ code: 'invalid-cursor' })
  })
})

describe('a sort', () => {
  test('is parsed with the position of each field', () => {
    expect(parseSort(' -price, title')).toEqual([
      { path: 'price', isDescending: true, position: 1 },
      { path: 'title', isDescending: false, position: 9 },
    ])
  })

  test('with an unknown field is rejected with its position', () => {
    expect(fault({ sort: 'price,titel' })).toEqual({
      code: 'invalid-sort',
      message: 'There is no field “titel” in Books. Did you mean “title”?',
      path: 'sort',
      position: 6,
    })
    expect(fault({ sort: 'price,,title' })).toMatchObject({ code: 'invalid-sort', position: 6 })
    expect(fault({ sort: Array.from({ length: 9 }, () => 'price').join(',') })).toMatchObject({ code: 'invalid-sort' })
  })

  test('ends with the record ID as a tiebreaker', () => {
    expect(ask({ sort: '', perPage: 1 }).sort).toHaveLength(1)
    expect(ask({ sort: 'price', perPage: 1 }).sort.map(({ leaf }) => leaf.type)).toEqual(['field', 'system'])
    expect(ask({ sort: '-id,price', perPage: 1 }).sort).toHaveLength(1)
  })
})

describe('a search', () => {
  test('is split into folded words and phrases without duplicates', () => {
    expect(searchTerms('  Äpfel "Big  Tree" apfel')).toEqual(['apfel', 'big  tree'])
    expect(searchTerms('one"two three"four')).toEqual(['one', 'two three', 'four'])
    expect(searchTerms('"still open')).toEqual(['still open'])
    expect(searchTerms('"" "  " \u0301')).toEqual([])
  })

  test('recognizes phrases in any style of quotation marks', () => {
    expect(searchTerms('“two three” four')).toEqual(['two three', 'four'])
    expect(searchTerms('„zwei drei“ vier')).toEqual(['zwei drei', 'vier'])
    expect(searchTerms('«deux trois» „noch offen')).toEqual(['deux trois', 'noch offen'])
  })

  test('is rejected if it is too long or contains characters that can’t be stored', () => {
    expect(fault({ search: 'a\0' })).toMatchObject({ code: 'invalid-search', position: 1 })
    expect(fault({ search: Array.from({ length: 17 }, (_, at) => `w${at}`).join(' ') })).toMatchObject({
      code: 'invalid-search',
    })
    expect(fault({ search: 'x'.repeat(501) })).toMatchObject({ code: 'invalid-search' })
  })
})

describe('a query without read permission', () => {
  test('returns no results and reveals no information', () => {
    const context = { ...contextFor(), decisionFor: () => ({ allowed: false }) as const }
    expect(checkRecordsQuery({ filter: 'nonsense ==', perPage: 10 }, context)).toMatchObject({
      ok: true,
      value: { where: { type: 'any', of: [] } },
    })
  })
})

describe('a grouping', () => {
  const refused = (by: string, aggregates = '') => {
    const checked = checkGroupQuery({ by, aggregates, perPage: 10 }, contextFor())
    return checked.ok ? 'accepted' : checked.fault.message
  }

  test('accepts up to three fields with short values', () => {
    expect(refused('genre,-sold,author')).toBe('accepted')
    expect(refused('writers,genre,-readers')).toBe('accepted')
    expect(refused('tags,-tags,fans')).toBe('accepted')
    expect(refused('fans,team,fanCount')).toBe('accepted')
    expect(refused('')).toBe('Specify a field to group by.')
    expect(refused('genre,sold,author,price')).toBe('Can’t group by more than 3 fields.')
    for (const field of ['blurb', 'body', 'scans', 'extra', 'id'])
      expect(refused(field)).toContain(`Can’t group by “${field}”. Choose a field with a single short value.`)
    expect(refused('author.name')).toContain('There is no field “author.name”')
  })

  test('limits the fields with several values, whose combinations multiply', () => {
    const message =
      'Can’t group by more than 2 fields with several values, or more than 1 of the type “Linked from”, because a record is counted in every combination of their values.'
    expect(refused('writers,tags,-readers')).toBe(message)
    const checked = checkGroupQuery({ by: 'books,friendOf', perPage: 10 }, { ...contextFor(), collection: authors })
    expect(checked).toMatchObject({ ok: false, fault: { message, position: 6 } })
  })

  test('aggregates number fields', () => {
    expect(refused('genre', 'count, sum(price),avg(margin),min(price),max(price),count()')).toBe('accepted')
    expect(refused('genre', 'sum(title)')).toBe('“title” isn’t a number field, so sum can’t be calculated.')
    expect(refused('genre', 'sum')).toBe('sum requires the name of a number field, such as sum(amount).')
    expect(refused('genre', 'count(price)')).toBe('count doesn’t accept a field: it counts the records in a group.')
    expect(refused('genre', 'median(price)')).toContain(
      '“median(price)” isn’t an aggregate. Use count, sum, avg, min, max, such as sum(amount).',
    )
    expect(refused('genre', 'sum(pric)')).toContain('Did you mean “price”?')
  })

  test('returns field names, even if the fields were requested by ID', () => {
    const genre = books.fields.find(({ name }) => name === 'genre')?.id ?? ''
    const checked = checkGroupQuery({ by: genre, perPage: 10 }, contextFor())
    expect(checked).toMatchObject({ ok: true, value: { by: [{ name: 'genre' }] } })
  })
})
