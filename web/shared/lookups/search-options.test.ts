import { expect, test } from 'vitest'
import { firstOptions } from './search-options.ts'

/** A list of options and the number of requests. */
async function listOf(total: number) {
  const pages: number[] = []
  const found = await firstOptions(async (page, perPage) => {
    pages.push(page)
    const rest = Math.max(0, Math.min(perPage, total - (page - 1) * perPage))
    const options = Array.from({ length: rest }, (_, at) => ({ value: `${(page - 1) * perPage + at}`, label: 'One' }))
    return { options, total }
  })
  return { shown: found.options.length, total: found.total, pages }
}

test('loads up to a thousand options and knows the total', async () => {
  expect(await listOf(3376)).toEqual({ shown: 1000, total: 3376, pages: [1, 2] })
})

test('a short list takes one request', async () => {
  expect(await listOf(0)).toEqual({ shown: 0, total: 0, pages: [1] })
  expect(await listOf(499)).toEqual({ shown: 499, total: 499, pages: [1] })
  expect(await listOf(501)).toEqual({ shown: 501, total: 501, pages: [1, 2] })
})
