import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Filter } from '#domain/query/filter/filter.ts'
import { filterOfGroup, groupDraft, isComplete, withAdded, withJoin, withPart } from './condition-tree.ts'

const keys = () => {
  let key = 0
  return () => (key += 1)
}

const SIZE: Filter = { field: 'size', op: '>', value: 2 }
const OPEN: Filter = { field: 'status', op: '=', value: 'open' }
const NONE: Filter = { field: 'owner', op: 'is empty' }

const drawn = (filter: Filter | null) => groupDraft(filter, keys()) ?? { key: 0, join: 'all', parts: [] }

/** Trees that can be shown as lines: every group has at least two children. */
const trees = (depth: number): fc.Arbitrary<Filter> => {
  const lines = fc.constantFrom(SIZE, OPEN, NONE)
  if (depth === 0) return lines
  const parts = fc.array(trees(depth - 1), { minLength: 2, maxLength: 3 })
  return fc.oneof(
    lines,
    parts.map((all) => ({ all })),
    parts.map((any) => ({ any })),
  )
}

describe('building a condition', () => {
  test('round-trips', () => {
    fc.assert(
      fc.property(trees(3), (filter) => {
        expect(filterOfGroup(drawn(filter))).toEqual(filter)
      }),
    )
  })

  test('returns null if there are no conditions', () => {
    expect(filterOfGroup(drawn(null))).toBeNull()
    expect(isComplete(drawn(null))).toBe(true)
  })

  test('is not possible if groups are nested too deeply', () => {
    const deep: Filter = { all: [SIZE, { any: [OPEN, { all: [NONE, { any: [SIZE, OPEN] }] }] }] }
    expect(groupDraft(deep, keys())).toBeUndefined()
  })

  test('is incomplete if a value is missing or a group is empty', () => {
    const group = drawn(SIZE)
    const lacking = { key: 9, field: 'size', op: '=', values: [undefined] } as const
    expect(isComplete(withAdded(group, group.key, lacking))).toBe(false)
    expect(filterOfGroup(withAdded(group, group.key, lacking))).toEqual(SIZE)
    expect(isComplete(withAdded(group, group.key, { key: 9, join: 'any', parts: [] }))).toBe(false)
  })

  test('adds, removes and groups conditions', () => {
    const group = drawn({ all: [SIZE, { any: [OPEN, NONE] }] })
    const inner = group.parts[1]
    const [first] = group.parts
    if (!inner || !first) throw new Error('there are two parts')
    expect(filterOfGroup(withJoin(group, inner.key, 'all'))).toEqual({ all: [SIZE, { all: [OPEN, NONE] }] })
    expect(filterOfGroup(withPart(group, first.key, undefined))).toEqual({ any: [OPEN, NONE] })
    const added = withAdded(group, inner.key, { key: 9, field: 'size', op: '=', values: [1] })
    expect(filterOfGroup(added)).toEqual({ all: [SIZE, { any: [OPEN, NONE, { field: 'size', op: '=', value: 1 }] }] })
  })
})
