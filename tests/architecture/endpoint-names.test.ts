import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('api/all-endpoints.ts imports every file that defines endpoints', () => {
  const list = readFileSync('api/all-endpoints.ts', 'utf8')
  const files = globSync('api/*.ts').filter((file) => readFileSync(file, 'utf8').includes('= endpoint('))
  expect(files.filter((file) => !list.includes(`'./${file.slice('api/'.length)}'`))).toEqual([])
})
