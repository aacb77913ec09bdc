import { expect, test } from 'vitest'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { exportedFields } from '#web/features/bulk/export-dialog.tsx'

const field = (id: string, name: string) => ({
  id,
  name,
  label: name,
  kind: 'text' as const,
  required: false,
  unique: false,
  default: null,
  options: {},
})

const COLLECTION: TypedCollection = {
  id: 'c',
  name: 'things',
  label: 'Things',
  fields: [field('f1', 'size'), field('f2', 'title'), field('f3', 'note')],
  titleField: 'title',
  version: 1,
  timeZone: 'UTC',
  can: [],
}
const LAYOUT = { order: ['f3', 'createdAt'], hidden: ['f1', 'updatedAt', 'createdBy'] }

test('an export contains the visible columns in order, title first', () => {
  expect(exportedFields(COLLECTION, LAYOUT, { hasIds: false, hasAll: false })).toEqual([
    'title',
    'note',
    'createdAt',
    'updatedBy',
  ])
})

test('an export contains hidden columns and IDs on request', () => {
  expect(exportedFields(COLLECTION, LAYOUT, { hasIds: true, hasAll: true })).toEqual([
    'id',
    'title',
    'note',
    'createdAt',
    'size',
    'updatedAt',
    'createdBy',
    'updatedBy',
  ])
})
