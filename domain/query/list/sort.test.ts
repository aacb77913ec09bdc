import { describe, expect, test } from 'vitest'
import { ask } from '#tests/conformance/query/agreement.ts'
import { linkedNameOrder } from './sort.ts'

const orderOf = (sort: string) => {
  const order = linkedNameOrder(ask({ sort, perPage: 50 }).sort)
  return order && { named: order.named.length, rest: order.rest.length }
}

describe('an order by names', () => {
  test('is the title of a related record, and then the record itself', () => {
    expect(orderOf('author')).toEqual({ named: 3, rest: 1 })
    expect(orderOf('-author,price')).toEqual({ named: 3, rest: 2 })
  })

  test('is any field of a related record', () => {
    expect(orderOf('author.active')).toEqual({ named: 1, rest: 1 })
  })

  test('is the name of a person', () => {
    expect(orderOf('createdBy,-title')).toEqual({ named: 2, rest: 3 })
  })

  test('is none where it begins with something else, goes on to more, or leads through lists', () => {
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
