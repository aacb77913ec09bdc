import { expect, test } from 'vitest'
import { explanationWords } from './explanation-words.ts'

const known = { who: 'Ana', conditionWords: () => 'Status is “open”' }
const given = {
  role: { id: 'r', name: 'Contributor' },
  policy: { id: 'p', name: 'Work with one’s own records' },
  grant: 'g',
  where: null,
}
const asked = (part: object) =>
  explanationWords({ may: 'no', because: null, where: null, by: [given], ...part } as never, known)

test('a yes names the role and the policy that give it, each once', () => {
  expect(asked({ may: 'yes', by: [given, { ...given, grant: 'h' }] })).toEqual({
    answer: 'Yes',
    why: 'Ana may by the role Contributor (“Work with one’s own records”).',
  })
})

test('a partial yes says in which records', () => {
  expect(asked({ may: 'some', where: { field: 'createdBy', op: '=', value: '@me' } }).why).toBe(
    'Ana may in the records they have added themselves, by the role Contributor (“Work with one’s own records”).',
  )
  expect(asked({ may: 'some', where: { field: 'f1', op: '=', value: 'open' } }).why).toContain(
    'in the records in which Status is “open”',
  )
  expect(asked({ may: 'some' }).why).toContain('in some records alone')
})

test('a no says what is missing', () => {
  expect(asked({ because: 'no-grant', by: [] })).toEqual({ answer: 'No', why: 'No role of Ana allows it.' })
  expect(asked({ because: 'field' }).why).toBe(
    'The role Contributor (“Work with one’s own records”) allows it, but leaves this field out.',
  )
  expect(asked({ because: 'condition' }).why).toContain('none of those meant by the role Contributor')
  expect(asked({ because: 'needs-read' }).why).toContain('may not even see it')
})
