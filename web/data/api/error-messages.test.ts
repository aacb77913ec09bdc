import { expect, test } from 'vitest'
import { readProblem } from './send-request.ts'

const aloud = (text: string): string => text.toUpperCase()

test('error messages are translated, including those for records in a bulk change', () => {
  const failure = readProblem(
    {
      code: 'values-invalid',
      detail: 'Nothing was changed.',
      errors: [{ path: 'title', code: 'missing', message: 'Must be text.' }],
      refused: [{ message: 'It is frozen.', count: 2, records: ['r1', 'r2'] }],
      record: 'r1',
    },
    422,
    null,
    aloud,
  )
  expect(failure?.detail).toBe('NOTHING WAS CHANGED.')
  expect(failure?.errors).toEqual([{ path: 'title', code: 'missing', message: 'MUST BE TEXT.' }])
  expect(failure?.extra).toEqual({
    record: 'r1',
    refused: [{ message: 'IT IS FROZEN.', count: 2, records: ['r1', 'r2'] }],
  })
})

test('responses in other formats are not treated as problem details', () => {
  for (const body of [null, 'gone', { code: 'moon-landed' }]) expect(readProblem(body, 500)).toBeUndefined()
})
