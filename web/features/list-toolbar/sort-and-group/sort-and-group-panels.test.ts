import { expect, test } from 'vitest'
import { groupKeys, withGroupKeys } from './sort-and-group-panels.tsx'
import { listSort, readSort } from '#web/features/list-toolbar/url/list-query-params.ts'

const grouped = { group: 'status,owner', sort: readSort('-owner,amount') }

test('each group uses the direction of its field in the sort order', () => {
  expect(groupKeys(grouped)).toEqual(readSort('status,-owner'))
})

test('groups can be added, reversed, reordered and removed without affecting other sort fields', () => {
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
