import { expect, test } from 'vitest'
import { listRecords } from '#api/records.ts'
import { addressOf } from './call.ts'

test('an address has its parameters escaped and nothing that was not asked for', () => {
  const params = { collection: 'a/b' }
  const query = { filter: 'x = "1&2"', page: '2', sort: undefined }
  expect(addressOf(listRecords, { params, query })).toBe(
    '/api/collections/a%2Fb/records?filter=x+%3D+%221%262%22&page=2',
  )
})
