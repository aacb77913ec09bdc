import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  copyOfPart,
  type GroupDraft,
  isGroup,
  levelsOf,
  MAX_GROUP_DEPTH,
  moveCondition,
  type PartDraft,
  rowsOf,
  withPartAfter,
} from './condition-tree.ts'

const line = (key: number): PartDraft => ({ key, field: `f${key}`, op: 'is empty', values: [] })
const group = (key: number, ...parts: readonly PartDraft[]): GroupDraft => ({ key, join: 'any', parts })

/** `1 (2 3) 4`. */
const drawn = (tree: GroupDraft): string =>
  tree.parts.map((part) => (isGroup(part) ? `(${drawn(part)})` : String(part.key))).join(' ')

const tree = group(0, line(1), group(9, line(2), line(3)), line(4))

describe('moving a condition or group by one position', () => {
  test.each([
    [1, 1, '(1 2 3) 4'],
    [4, -1, '1 (2 3 4)'],
    [2, -1, '1 2 (3) 4'],
    [3, 1, '1 (2) 3 4'],
    [3, -1, '1 (3 2) 4'],
    [9, 1, '1 4 (2 3)'],
    [9, -1, '(2 3) 1 4'],
    [1, -1, '1 (2 3) 4'],
    [4, 1, '1 (2 3) 4'],
  ] as const)('%i by %i', (key, by, expected) => {
    expect(drawn(moveCondition(tree, key, by))).toBe(expected)
  })

  test('removes groups that become empty', () => {
    expect(drawn(moveCondition(group(0, group(9, line(1)), line(2)), 1, 1))).toBe('1 2')
  })

  test('skips groups that are full', () => {
    const deep = group(0, group(8, group(7, line(1))), group(9, line(2)))
    expect(drawn(moveCondition(deep, 8, 1))).toBe('(2) ((1))')
  })
})

const trees = (depth: number, from: number): fc.Arbitrary<PartDraft> => {
  const lines = fc.nat(999).map((n) => line(from + n))
  if (depth === 0) return lines
  const groups = fc
    .array(trees(depth - 1, from * 10), { minLength: 1, maxLength: 3 })
    .map((parts) => group(from, ...parts))
  return fc.oneof(lines, groups)
}

let next = 0
const newKey = () => (next += 1)
const roots = fc
  .array(trees(MAX_GROUP_DEPTH, 1000), { minLength: 1, maxLength: 4 })
  .map((parts) => copyOfPart(group(0, ...parts), newKey))
  .filter(isGroup)

const keysOf = (root: GroupDraft): readonly number[] => rowsOf(root).map(({ key }) => key)
const allKeys = (root: GroupDraft): readonly number[] =>
  root.parts.flatMap((part) => [part.key, ...(isGroup(part) ? allKeys(part) : [])])

test('never loses a condition, nests too deeply or creates an empty group', () => {
  fc.assert(
    fc.property(roots, fc.nat(), fc.constantFrom<-1 | 1>(-1, 1), (root, which, by) => {
      const key = allKeys(root)[which % allKeys(root).length] ?? 0
      const moved = moveCondition(root, key, by)
      expect(new Set(keysOf(moved))).toEqual(new Set(keysOf(root)))
      expect(keysOf(moved)).toHaveLength(keysOf(root).length)
      expect(levelsOf(moved)).toBeLessThanOrEqual(MAX_GROUP_DEPTH + 1)
      expect(drawn(moved)).not.toContain('()')
    }),
  )
})

test('can be reversed by moving it back if no group was removed', () => {
  fc.assert(
    fc.property(roots, fc.nat(), (root, which) => {
      const key = allKeys(root)[which % allKeys(root).length] ?? 0
      const down = moveCondition(root, key, 1)
      if (allKeys(down).length < allKeys(root).length || down === root) return
      expect(drawn(moveCondition(down, key, -1))).toBe(drawn(root))
    }),
  )
})

test('duplicating a condition or group inserts the copy after it with new keys', () => {
  const inner = tree.parts[1]
  if (!inner) throw new Error('there is a group')
  let key = 100
  const copy = copyOfPart(inner, () => (key += 1))
  const doubled = withPartAfter(tree, 9, copy)
  expect(drawn(doubled)).toBe('1 (2 3) (102 103) 4')
  expect(new Set(allKeys(doubled)).size).toBe(allKeys(doubled).length)
})
