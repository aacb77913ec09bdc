import { expect, test } from 'vitest'
import { fail } from '../shared/result.ts'
import { checkField } from './check-field.ts'
import { nameFromLabel } from './names.ts'

const CONTEXT = {
  id: 'f1',
  newId: () => 'o1',
  takenNames: new Set<string>(),
  hasStatusField: false,
  knownOptions: [],
  findCollection: () => undefined,
  findRelation: () => fail([]),
  checkFormula: () => fail([]),
  checkRollup: () => fail([]),
  checkDefaultFormula: () => fail([]),
}

const describedBy = (description: string | undefined) => {
  const checked = checkField(
    { label: 'Due', description, kind: 'date', required: false, unique: false, options: {} },
    CONTEXT,
  )
  return checked.ok ? checked.value : undefined
}

test('a description is trimmed, but its line breaks are kept', () => {
  expect(describedBy(' In working days.\nSundays count. ')).toMatchObject({
    description: 'In working days.\nSundays count.',
  })
})

test('a blank description isn’t stored', () => {
  expect(describedBy(undefined)).not.toHaveProperty('description')
  expect(describedBy(' \n')).not.toHaveProperty('description')
})

test.each([
  ['Due date', 'dueDate'],
  ['Größe', 'grosse'],
  ['STRAẞE', 'strasse'],
  ['2nd', 'field2nd'],
  ['版本', 'field'],
])('a field labeled %s is named %s in the API', (label, name) => {
  expect(nameFromLabel(label, new Set())).toBe(name)
})
