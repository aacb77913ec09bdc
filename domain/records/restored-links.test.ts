import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withRestoredLinks } from './restored-links.ts'

const ids = fc.uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e', 'f'))

test('deleted links are restored if the list hasn’t changed', () => {
  fc.assert(
    fc.property(ids, fc.func(fc.boolean()), (before, isGone) => {
      const after = before.filter((id) => !isGone(id))
      expect(withRestoredLinks(after, { before, after }, new Set(before))).toEqual(before)
    }),
  )
})

test('links added or reordered after the deletion keep their order, without duplicates', () => {
  fc.assert(
    fc.property(ids, fc.func(fc.boolean()), ids, ids, (before, isGone, current, existing) => {
      const after = before.filter((id) => !isGone(id))
      const restored = withRestoredLinks(current, { before, after }, new Set(existing))
      expect(restored.filter((id) => current.includes(id))).toEqual(current)
      const back = before.filter((id) => !after.includes(id) && existing.includes(id))
      expect(new Set(restored)).toEqual(new Set([...current, ...back]))
      expect(new Set(restored).size).toBe(restored.length)
    }),
  )
})

test('a restored link is inserted after its former predecessor', () => {
  const removed = { before: ['a', 'b', 'c'], after: ['a', 'c'] }
  expect(withRestoredLinks(['c', 'a', 'x'], removed, new Set(['b']))).toEqual(['c', 'a', 'b', 'x'])
  expect(withRestoredLinks(['c', 'a', 'x'], removed, new Set())).toEqual(['c', 'a', 'x'])
})
