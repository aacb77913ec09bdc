import { expect, test } from 'vitest'
import { addCondition } from './add-condition.ts'

const open = { field: 'status', op: '=', value: 'open' } as const
const paid = { field: 'paid', op: '=', value: true } as const

test('narrows any filter with “and”', () => {
  expect(addCondition('', open)).toBe('status = "open"')
  expect(addCondition('paid = true', open)).toBe('paid = true && status = "open"')
  expect(addCondition('paid = true || due is empty', open)).toBe('(paid = true || due is empty) && status = "open"')
  expect(addCondition('', { all: [open, paid] })).toBe('status = "open" && paid = true')
  expect(addCondition('paid = true', { any: [open, paid] })).toBe('paid = true && (status = "open" || paid = true)')
})

test('skips existing conditions and leaves invalid filters unchanged', () => {
  expect(addCondition('paid = true  &&  status="open"', open)).toBe('paid = true  &&  status="open"')
  expect(addCondition('paid = true', { all: [open, paid] })).toBe('paid = true && status = "open"')
  expect(addCondition('paid =', open)).toBe('paid =')
})
