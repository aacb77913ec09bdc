import { describe, expect, test } from 'vitest'
import type { Filter } from '#domain/query/filter/filter.ts'
import {
  type GrantLabels,
  accessSentence,
  describeCombined,
  describeExtent,
  isOwnRecordsOnly,
  joinNames,
} from './describe-grant.ts'
import type { Permission } from './permission.ts'

const LABELS = new Map([
  ['f1', 'Name'],
  ['f2', 'Salary'],
  ['f3', 'Status'],
])
const words: GrantLabels = {
  labelOf: (field) => LABELS.get(field),
  describeCondition: (where) => ('field' in where ? `${LABELS.get(where.field) ?? where.field} is “open”` : 'both'),
}
const OWN: Filter = { field: 'createdBy', op: '=', value: { marker: '@me' } }
const OPEN: Filter = { field: 'f3', op: '=', value: 'open' }

describe('a grant', () => {
  test.each([
    ['leaves nothing out', {}, 'all'],
    ['speaks of one’s own records', { where: OWN }, 'only records they created'],
    ['speaks of some records', { where: OPEN }, 'only where Status is “open”'],
    ['leaves a field out', { fields: { except: ['f2'] } }, 'without Salary'],
    ['opens some fields', { fields: { only: ['f1', 'f3'] } }, 'only Name and Status'],
    ['opens no field', { fields: { only: [] } }, 'no fields'],
    ['leaves out a field that one does not see', { fields: { except: ['gone'] } }, 'without another field'],
    ['says both', { where: OWN, fields: { except: ['f2'] } }, 'only records they created · without Salary'],
    ['fills in', { presets: { f3: 'open' } }, 'all · sets Status by default'],
  ] as const)('%s', (_, extent, said) => {
    expect(describeExtent(extent, words)).toBe(said)
  })
})

describe('combined grants', () => {
  test('describes missing access as “no”', () => {
    expect(describeCombined([], words)).toEqual({ coverage: 'none', text: 'no' })
  })
  test('drops grants that are covered by another grant', () => {
    expect(describeCombined([{ where: OWN }, {}, { fields: { only: ['f1'] } }], words)).toEqual({
      coverage: 'all',
      text: 'all',
    })
  })
  test('merges the fields of grants for the same records', () => {
    expect(describeCombined([{ fields: { only: ['f1'] } }, { fields: { only: ['f3'] } }], words).text).toBe(
      'only Name and Status',
    )
    expect(describeCombined([{ fields: { except: ['f1', 'f2'] } }, { fields: { except: ['f2'] } }], words).text).toBe(
      'without Salary',
    )
    expect(describeCombined([{ fields: { except: ['f2'] } }, { fields: { only: ['f2'] } }], words).coverage).toBe('all')
  })
  test('lists different conditions separately', () => {
    expect(describeCombined([{ where: OWN }, { where: OPEN }], words)).toEqual({
      coverage: 'some',
      text: 'only records they created; also only where Status is “open”',
    })
  })
  test('describes the records and fields of each differing grant, listing grants for all records first', () => {
    expect(describeCombined([{ where: OWN }, { fields: { except: ['f2'] } }], words)).toEqual({
      coverage: 'some',
      text: 'all records · without Salary; also only records they created · all fields',
    })
  })
})

test('recognizes “own records” only in the two supported notations', () => {
  expect(isOwnRecordsOnly(OWN)).toBe(true)
  expect(isOwnRecordsOnly({ field: 'createdBy', op: '=', value: '@me' })).toBe(true)
  expect(isOwnRecordsOnly({ field: 'updatedBy', op: '=', value: { marker: '@me' } })).toBe(false)
  expect(isOwnRecordsOnly({ all: [OWN] })).toBe(false)
  expect(isOwnRecordsOnly(undefined)).toBe(false)
})

test('shows how many names exceed the display limit', () => {
  expect(joinNames(['A'])).toBe('A')
  expect(joinNames(['A', 'B', 'C', 'D'])).toBe('A, B, C and D')
  expect(joinNames(['A', 'B', 'C', 'D', 'E'])).toBe('A, B, C and 2 more')
})

const said = (permission: Permission, may: boolean, more: { field?: string; isOneRecord?: boolean } = {}): string =>
  accessSentence({
    who: 'Ana',
    may,
    permission,
    collection: permission.startsWith('records') ? 'People' : null,
    field: more.field ?? null,
    isOneRecord: more.isOneRecord ?? false,
  })

test('describes granted and missing permissions as sentences', () => {
  expect(said('records:read', false, { field: 'Salary' })).toBe('Ana cannot view Salary in People')
  expect(said('records:transition', true)).toBe('Ana can change the status of People')
  expect(said('records:import', false)).toBe('Ana cannot import into People')
  expect(said('records:update', true, { isOneRecord: true })).toBe('Ana can edit People in one record')
  expect(said('roles:manage', false)).toBe('Ana cannot manage roles')
})
