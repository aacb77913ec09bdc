import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { gridGroups, type GroupBody, groupKey, pageHolding, spanOfPage } from './use-groups.ts'

const about = (name: string) => ({
  id: `f-${name}`,
  name,
  label: `Their ${name}`,
  required: false,
  unique: false,
  default: null,
})
const STATUS: Field = { ...about('status'), kind: 'select', options: { choices: [] } }
const OWNER: Field = { ...about('owner'), kind: 'user', options: { many: false } }
const tasks = { fields: [STATUS, OWNER] } as unknown as TypedCollection

const group = (key: GroupBody['key'], label: string, offset: number, count: number): GroupBody => ({
  key,
  label,
  offset,
  count,
  aggregates: {},
})

test('the responses for all group levels are combined into headers, parents first', () => {
  const outer = [group({ status: 'open · late' }, 'open · late', 0, 3), group({ status: null }, '', 3, 1)]
  const inner = [
    group({ status: 'open · late', owner: 'u1' }, 'open · late · Ada', 0, 2),
    group({ status: 'open · late', owner: null }, 'open · late · ', 2, 1),
    group({ status: null, owner: 'u1' }, ' · Ada', 3, 1),
  ]
  const heads = gridGroups(tasks, ['status', 'owner'], [outer, inner], () => undefined)
  expect(heads.map(({ depth, label, first, count }) => [depth, label, first, count])).toEqual([
    [0, 'open · late', 0, 3],
    [1, 'Ada', 0, 2],
    [1, 'No Their owner', 2, 1],
    [0, 'No Their status', 3, 1],
    [1, 'Ada', 3, 1],
  ])
  expect(new Set(heads.map(({ key }) => key)).size).toBe(5)
  expect(groupKey(['status', 'owner'], 0, inner[0] ?? outer[0] ?? group({}, '', 0, 0))).toBe(heads[0]?.key)
})

test('the page of groups that contains a row is found by increasingly close estimates', () => {
  // 40 pages of 500 groups each; every group on page p has p rows.
  const rowsBefore = (page: number) => 250 * page * (page - 1)
  const spanOf = (page: number) => ({ first: rowsBefore(page), end: rowsBefore(page + 1) })
  const list = { pages: 40, rows: rowsBefore(41) }
  for (const ordinal of [0, 499, 500, 70_000, 409_999]) {
    const known = new Map<number, { first: number; end: number }>()
    let requested = 0
    for (let page = pageHolding(known, list, ordinal); page !== undefined; requested++) {
      expect(known.has(page)).toBe(false)
      known.set(page, spanOf(page))
      page = pageHolding(known, list, ordinal)
    }
    expect([...known.values()].some(({ first, end }) => ordinal >= first && ordinal < end)).toBe(true)
    expect(requested).toBeLessThan(12)
  }
  expect(pageHolding(new Map([[1, { first: 0, end: 10 }]]), { pages: 1, rows: 12 }, 11)).toBeUndefined()
})

test('a page of groups covers the rows from its first to its last group', () => {
  expect(spanOfPage([group({}, '', 5, 3), group({}, '', 8, 4)])).toEqual({ first: 5, end: 12 })
  expect(spanOfPage([])).toEqual({ first: 0, end: 0 })
})
