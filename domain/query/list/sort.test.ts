import { describe, expect, test } from 'vitest'
import { ask } from '#tests/conformance/query/agreement.ts'
import { linkedNameOrder } from './sort.ts'

const orderOf = (sort: string) => {
  const order = linkedNameOrder(ask({ sort, perPage: 50 }).sort)
  return order && { named: order.named.length, rest: order.rest.length }
}

describe('a sort by names', () => {
  test('supports the title of a linked record', () => {
    expect(orderOf('author')).toEqual({ named: 3, rest: 1 })
    expect(orderOf('-author,price')).toEqual({ named: 3, rest: 2 })
  })

  test('supports any field of a linked record', () => {
    expect(orderOf('author.active')).toEqual({ named: 1, rest: 1 })
  })

  test('supports the name of a user', () => {
    expect(orderOf('createdBy,-title')).toEqual({ named: 2, rest: 3 })
  })

  test('doesn’t support other first fields, longer paths or list fields', () => {
    for (const sort of [
      '',
      'price',
      'price,author',
      'author,createdBy',
      'writers',
      'author.country.name',
      'author.friends',
    ]) {
      expect(orderOf(sort), sort).toBeUndefined()
    }
  })
})
