import { expect, test } from 'vitest'
import { fileIdOf } from './upload-job.ts'

test('the id of a file is the last part of the address of its upload', () => {
  expect(fileIdOf('https://dossier.example/api/tus/01h8xyz')).toBe('01h8xyz')
  expect(fileIdOf('/api/tus/01h8xyz?collection=cases#top')).toBe('01h8xyz')
})
