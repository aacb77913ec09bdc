import { expect, test } from 'vitest'
import type { Permission } from './permission.ts'
import { rightsSentence } from './describe-permission.ts'

const said = (permission: Permission, may: boolean, more: { field?: string; isOneRecord?: boolean } = {}): string =>
  rightsSentence({
    who: 'Ana',
    may,
    permission,
    collection: permission.startsWith('records') ? 'People' : null,
    field: more.field ?? null,
    isOneRecord: more.isOneRecord ?? false,
  })

test('a right is said as a sentence, and so is that somebody has it not', () => {
  expect(said('records:read', false, { field: 'Salary' })).toBe('Ana may not see Salary of People')
  expect(said('records:transition', true)).toBe('Ana may move People along their workflow')
  expect(said('records:import', false)).toBe('Ana may not import into People')
  expect(said('records:update', true, { isOneRecord: true })).toBe('Ana may change People in one record')
  expect(said('roles:manage', false)).toBe('Ana may not manage roles')
})
