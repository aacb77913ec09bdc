import { expect, test } from 'vitest'
import { groupKeys, withGroupKeys } from './group-keys.ts'
import { listSort, readSort } from '#web/features/list-toolbar/url/list-query-params.ts'

const grouped = { group: 'status,owner', sort: readSort('-owner,amount') }

test('each group has the direction in which the order has its field', () => {
  expect(groupKeys(grouped)).toEqual(readSort('status,-owner'))
})

test('groups are added, turned over, put in order and removed, and the order of the others stays', () => {
  const kept = (keys: string) => {
    const { group, sort } = withGroupKeys(grouped, readSort(keys))
    return [group, listSort({ group, sort })]
  }
  expect(kept('status,-owner,-due')).toEqual(['status,owner,due', 'status,-owner,-due,amount'])
  expect(kept('status,owner')).toEqual(['status,owner', 'status,owner,amount'])
  expect(kept('-owner,status')).toEqual(['owner,status', '-owner,status,amount'])
  expect(kept('status')).toEqual(['status', 'status,amount'])
  expect(kept('')).toEqual([null, 'amount'])
})
