import { expect, test } from 'vitest'
import { describeExplanation } from './describe-explanation.ts'

const known = { who: 'Ana', conditionWords: () => 'Status is “open”' }
const given = {
  role: { id: 'r', name: 'Contributor' },
  policy: { id: 'p', name: 'Edit own records' },
  grant: 'g',
  where: null,
}
const requested = (part: object) =>
  describeExplanation({ may: 'no', because: null, where: null, by: [given], ...part } as never, known)

test('“yes” lists each role and policy once', () => {
  expect(requested({ may: 'yes', by: [given, { ...given, grant: 'h' }] })).toEqual({
    answer: 'Yes',
    why: 'The role Contributor (“Edit own records”) allows it.',
  })
})

test('“partly” describes the affected records', () => {
  expect(requested({ may: 'some', where: { field: 'createdBy', op: '=', value: '@me' } }).why).toBe(
    'The role Contributor (“Edit own records”) allows it for records they created.',
  )
  expect(requested({ may: 'some', where: { field: 'f1', op: '=', value: 'open' } }).why).toContain(
    'allows it where Status is “open”',
  )
  expect(requested({ may: 'some' }).why).toContain('allows it in some records only')
})

test('“no” explains the reason', () => {
  expect(requested({ because: 'no-grant', by: [] })).toEqual({ answer: 'No', why: 'None of Ana’s roles grant this.' })
  expect(
    describeExplanation({ may: 'no', because: 'no-grant', where: null, by: [] } as never, {
      ...known,
      who: 'The role Viewer',
      isRole: true,
    }).why,
  ).toBe('The role Viewer doesn’t allow it.')
  expect(requested({ because: 'field' }).why).toBe(
    'The role Contributor (“Edit own records”) allows it, but not for this field.',
  )
  expect(requested({ because: 'condition' }).why).toContain(
    'The role Contributor (“Edit own records”) allows it only in some records, and this record doesn’t match.',
  )
  const own = { field: 'createdBy', op: '=', value: { marker: '@me' } }
  expect(requested({ because: 'condition', by: [{ ...given, where: own }] }).why).toBe(
    'The role Contributor (“Edit own records”) allows it only for records they created, and this record doesn’t match.',
  )
  expect(requested({ because: 'needs-read' }).why).toContain('Ana can’t view it, so no other action is possible.')
})
