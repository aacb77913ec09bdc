import { expect, test } from 'vitest'
import type { Permission } from './permission.ts'
import { accessSentence } from './describe-permission.ts'

const said = (permission: Permission, may: boolean, more: { field?: string; isOneRecord?: boolean } = {}): string =>
  accessSentence({
    who: 'Ana',
    may,
    permission,
    collection: permission.startsWith('records') ? 'People' : null,
    field: more.field ?? null,
    isOneRecord: more.isOneRecord ?? false,
  })

test('a right is said as a sentence, and so is that somebody has it not', () => {
  expect(said('records:read', false, { field: 'Salary' })).toBe('Ana cannot view Salary in People')
  expect(said('records:transition', true)).toBe('Ana can change the status of People')
  expect(said('records:import', false)).toBe('Ana cannot import into People')
  expect(said('records:update', true, { isOneRecord: true })).toBe('Ana can edit People in one record')
  expect(said('roles:manage', false)).toBe('Ana cannot manage roles')
})
