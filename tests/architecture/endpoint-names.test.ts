import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('every file that declares endpoints stands in the list from which they are described', () => {
  const list = readFileSync('api/all-endpoints.ts', 'utf8')
  const files = globSync('api/*.ts').filter((file) => readFileSync(file, 'utf8').includes('= endpoint('))
  expect(files.filter((file) => !list.includes(`'./${file.slice('api/'.length)}'`))).toEqual([])
})
