import { expect, test } from 'vitest'
import type { GrantInput } from '#api/roles.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { describeDisclosures } from './disclosure-notice.tsx'
import { EVERY_COLLECTION } from '#web/features/roles/matrix/matrix.ts'

const bare = { required: false, unique: false, default: null } as const
const STAFF: TypedCollection = {
  ...EVERY_COLLECTION,
  id: 'staff',
  name: 'staff',
  label: 'Staff',
  fields: [
    { id: 'f1', name: 'code', label: 'Code', kind: 'text', ...bare, unique: true, options: {} },
    { id: 'f2', name: 'salary', label: 'Salary', kind: 'number', ...bare, options: {} },
  ],
  rules: [
    {
      id: 'r1',
      when: null,
      then: { field: 'salary', op: '<', value: 100 },
      message: 'Salary must be below 100.',
      field: null,
    },
  ],
}
const grant = (verb: 'read' | 'update', part: Partial<GrantInput> = {}): GrantInput => ({
  permission: `records:${verb}`,
  collection: 'staff',
  ...part,
})
const learned = (...grants: readonly GrantInput[]) => describeDisclosures(grants, [STAFF]).map((words) => words.learned)

test('names the field, rule and permission through which hidden values can be inferred', () => {
  const blind = grant('read', { fields: { except: ['f1', 'f2'] } })
  expect(describeDisclosures([blind, grant('update')], [STAFF])[0]).toEqual({
    key: 'staff unique f1',
    collection: 'Staff',
    learned: 'Whether a value of “Code” is already used, even in a record they can’t see.',
    remedy: 'Let them see “Code” in all records, or remove their permission to enter and edit it.',
  })
  expect(learned(blind, grant('update'))).toEqual([
    'Whether a value of “Code” is already used, even in a record they can’t see.',
    'Whether hidden values pass the validation rule “Salary must be below 100.”',
    'When and how often hidden values change in a record.',
  ])
})

test('is empty for unknown collections and for grants that hide nothing', () => {
  expect(learned(grant('read'), grant('update'))).toEqual([])
  expect(learned(grant('read', { collection: 'other', fields: { except: ['f1'] } }))).toEqual([])
})

test('treats conditions with field names the same as those with field IDs', () => {
  const [byName, byId] = ['code', 'f1'].map((field) => ({ field, op: '=' as const, value: 'a' }))
  const unseen = (where: GrantInput['where']) =>
    learned(grant('read', { where: byId }), grant('update', { where, fields: { only: ['f2'] } }))
  expect(unseen(byName)).toEqual([])
  expect(unseen({ field: 'code', op: '=', value: 'b' })).toContain(
    'Whether records they can’t view exist, because “Edit” applies to more records than “View”.',
  )
})
