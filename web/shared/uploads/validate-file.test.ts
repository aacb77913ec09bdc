import { expect, test } from 'vitest'
import { fileError } from './accept-files.ts'

const picture = { name: 'Plan.PNG', type: 'image/png', size: 24_000_000 }

test('a file with an allowed type and size is accepted', () => {
  expect(fileError(picture, {})).toBeUndefined()
  expect(fileError(picture, { accept: ['application/pdf', 'image/*'], maxBytes: 24_000_000 })).toBeUndefined()
  expect(fileError(picture, { accept: ['.png'] })).toBeUndefined()
})

test('a file that is too large is rejected with both sizes and an alternative', () => {
  expect(fileError(picture, { maxBytes: 10_000_000 })).toMatch(/24 MB.+10 MB.+smaller/)
})

test('a file with a disallowed type is rejected with the accepted types', () => {
  expect(fileError(picture, { accept: ['application/pdf'] })).toContain(
    '“Plan.PNG” has a file type this field doesn’t accept. Accepted: PDF.',
  )
})

test('an empty file is rejected', () => {
  expect(fileError({ ...picture, size: 0 }, {})).toContain('empty')
})
