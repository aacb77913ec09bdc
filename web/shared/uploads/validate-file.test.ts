import { expect, test } from 'vitest'
import { fileError } from './accept-files.ts'

const picture = { name: 'Plan.PNG', type: 'image/png', size: 24_000_000 }

test('a file of an accepted type and size may be sent', () => {
  expect(fileError(picture, {})).toBeUndefined()
  expect(fileError(picture, { accept: ['application/pdf', 'image/*'], maxBytes: 24_000_000 })).toBeUndefined()
  expect(fileError(picture, { accept: ['.png'] })).toBeUndefined()
})

test('a file that is too large is refused with both sizes and a way out', () => {
  expect(fileError(picture, { maxBytes: 10_000_000 })).toMatch(/24 MB.+10 MB.+smaller/)
})

test('a file of another type is refused by what the field takes', () => {
  expect(fileError(picture, { accept: ['application/pdf'] })).toContain(
    '“Plan.PNG” has a file type this field doesn’t accept. Accepted: PDF.',
  )
})

test('an empty file is refused before it is sent', () => {
  expect(fileError({ ...picture, size: 0 }, {})).toContain('empty')
})
