import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as collections from '#api/collections.ts'
import { listGroups, listRecords } from '#api/records.ts'
import { createShaper } from './shape-response.ts'

describe('response shaping', () => {
  test('drops undeclared properties at any depth', () => {
    const shape = createShaper(
      z.object({ items: z.array(z.object({ id: z.string(), inner: z.object({ a: z.number() }).nullable() })) }),
    )
    const given = {
      items: [
        { id: '1', secret: 1, inner: { a: 1, secret: 2 } },
        { id: '2', inner: null },
      ],
      secret: 3,
    }
    expect(shape(given)).toEqual({
      items: [
        { id: '1', inner: { a: 1 } },
        { id: '2', inner: null },
      ],
    })
  })

  test('parses unions', () => {
    const shape = createShaper(z.object({ one: z.union([z.object({ a: z.number() }), z.object({ b: z.number() })]) }))
    expect(shape({ one: { b: 1, c: 2 } })).toEqual({ one: { b: 1 } })
  })

  test('omits missing optional properties', () => {
    expect(createShaper(z.object({ a: z.string().optional() }))({})).toEqual({})
  })

  test('returns the same list of records as full schema parsing', () => {
    const record = {
      id: 'r',
      version: 1,
      createdAt: 't',
      createdBy: null,
      updatedAt: 't',
      updatedBy: null,
      values: { a: [1] },
    }
    const page = { items: [record], page: 1, perPage: 10, total: 1, totalIs: 'exact', nextCursor: null }
    expect(createShaper(listRecords.response)({ ...page, more: 1 })).toEqual(listRecords.response.parse(page))
  })

  test('returns the same groups and definitions as full schema parsing', () => {
    const group = { key: { a: 1 }, label: 'A', count: 1, aggregates: { 'sum(b)': null }, offset: 0 }
    const groups = { groups: [group], page: 1, perPage: 10, total: 1 }
    expect(createShaper(listGroups.response)(groups)).toEqual(listGroups.response.parse(groups))
    const field = {
      id: 'f',
      name: 'a',
      label: 'A',
      kind: 'text',
      required: false,
      unique: false,
      default: null,
      options: {},
    }
    const collection = {
      id: 'c',
      name: 'c',
      label: 'C',
      fields: [field],
      titleField: null,
      version: 1,
      timeZone: 'UTC',
      can: ['records:read'],
    }
    expect(createShaper(collections.collectionBody)({ ...collection, x: 1 })).toEqual(
      collections.collectionBody.parse(collection),
    )
  })
})
