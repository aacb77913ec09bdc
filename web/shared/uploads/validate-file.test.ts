import { expect, test } from 'vitest'
import { fileError } from './accept-files.ts'

const picture = { name: 'Plan.PNG', type: 'image/png', size: 24_000_000 }

test('accepts an allowed type and size', () => {
  expect(fileError(picture, {})).toBeUndefined()
  expect(fileError(picture, { accept: ['application/pdf', 'image/*'], maxBytes: 24_000_000 })).toBeUndefined()
  expect(fileError(picture, { accept: ['.png'] })).toBeUndefined()
})

test('rejects a large file, naming both sizes and an alternative', () => {
  expect(fileError(picture, { maxBytes: 10_000_000 })).toMatch(/24 MB.+10 MB.+smaller/)
})

test('rejects a type and lists the accepted ones', () => {
  expect(fileError(picture, { accept: ['application/pdf'] })).toContain(
    '“Plan.PNG” has a file type this field doesn’t accept. Accepted: PDF.',
  )
})

test('rejects an empty file', () => {
  expect(fileError({ ...picture, size: 0 }, {})).toContain('empty')
})
