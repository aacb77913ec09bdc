import { expect, test } from 'vitest'
import { additionLines } from './access-inputs.tsx'

const LABELS = new Map([
  ['c1', 'Sites'],
  ['c2', 'Cases'],
])

test('the access preview shows the permissions a role adds, and the affected collections', () => {
  const lines = additionLines(
    {
      items: [
        { permission: 'records:read', collection: 'c1', adds: 'permission' },
        { permission: 'records:read', collection: 'c2', adds: 'permission' },
        { permission: 'records:update', collection: null, adds: 'records' },
        { permission: 'users:manage', collection: null, adds: 'permission' },
      ],
      addsToHidden: true,
    },
    LABELS,
  )
  expect(lines).toEqual([
    'View records: Sites and Cases',
    'Edit records: more records in all collections',
    'Manage users and their roles',
    'Access to collections you can’t see',
  ])
})
