import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type GridLines,
  type GroupNode,
  groupedLines,
  placeAmongSiblings,
  plainLines,
  toggleGroup,
} from './group-rows.ts'

const open: GroupNode = { key: 'open', depth: 0, first: 0, count: 3 }
const closed: GroupNode = { key: 'closed', depth: 0, first: 3, count: 2 }
const all = { first: 0, end: 5 }

function told(lines: GridLines): string[] {
  return Array.from({ length: lines.lineCount }, (_, line) => {
    const found = lines.lineAt(line)
    if (!found) return 'nothing'
    return found.kind === 'group'
      ? `group ${found.groupIndex}${found.isExpanded ? '' : ' collapsed'}`
      : `row ${found.ordinal}`
  })
}

test('an ungrouped page begins at the ordinal of its first row', () => {
  expect(told(plainLines({ first: 10, end: 13 }))).toEqual(['row 10', 'row 11', 'row 12'])
  expect(plainLines({ first: 10, end: 13 }).lineOfRow(11)).toBe(1)
})

test('every group has a head above its rows', () => {
  const lines = groupedLines([open, closed], new Set(), all)
  expect(told(lines)).toEqual(['group 0', 'row 0', 'row 1', 'row 2', 'group 1', 'row 3', 'row 4'])
})

test('a collapsed group shows its head alone', () => {
  const lines = groupedLines([open, closed], toggleGroup(new Set(), 'open'), all)
  expect(told(lines)).toEqual(['group 0 collapsed', 'group 1', 'row 3', 'row 4'])
  expect(lines.lineOfRow(1)).toBeUndefined()
})

test('a page that begins inside a group shows the head of that group, and all its own rows', () => {
  const lines = groupedLines([open, closed], new Set(), { first: 2, end: 4 })
  expect(told(lines)).toEqual(['group 0', 'row 2', 'group 1', 'row 3'])
})

test('rows that no known group holds can still be reached', () => {
  const lines = groupedLines([open], new Set(), all)
  expect(told(lines)).toEqual(['group 0', 'row 0', 'row 1', 'row 2', 'row 3', 'row 4'])
})

test('collapsing a parent hides the groups inside it', () => {
  const nested: GroupNode[] = [
    { key: 'a', depth: 0, first: 0, count: 3 },
    { key: 'a/x', depth: 1, first: 0, count: 1 },
    { key: 'a/y', depth: 1, first: 1, count: 2 },
    { key: 'b', depth: 0, first: 3, count: 2 },
    { key: 'b/x', depth: 1, first: 3, count: 2 },
  ]
  expect(told(groupedLines(nested, new Set(['a']), all))).toEqual([
    'group 0 collapsed',
    'group 3',
    'group 4',
    'row 3',
    'row 4',
  ])
  expect(told(groupedLines(nested, new Set(['a/x']), all)).slice(0, 5)).toEqual([
    'group 0',
    'group 1 collapsed',
    'group 2',
    'row 1',
    'row 2',
  ])
  expect(placeAmongSiblings(nested, 2)).toEqual({ position: 2, size: 2 })
  expect(placeAmongSiblings(nested, 3)).toEqual({ position: 2, size: 2 })
})

test('every row of a page stands in exactly one line unless its group is collapsed', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(sizes, fc.nat(29), fc.nat(1_000_000), fc.integer({ min: 1, max: 50 }), (counts, shut, at, pageRows) => {
      let first = 0
      const groups = counts.map((count, i) => {
        const group = { key: String(i), depth: 0, first, count }
        first += count
        return group
      })
      const span = { first: Math.min(at, first - 1), end: Math.min(at + pageRows, first) }
      const lines = groupedLines(groups, new Set([String(shut)]), span)
      const ordinals = Array.from({ length: span.end - span.first }, (_, i) => span.first + i)
      const isShut = (ordinal: number) => groups.findIndex((each) => ordinal < each.first + each.count) === shut
      const found = ordinals.map((ordinal) => lines.lineOfRow(ordinal))
      expect(found.map((line) => line === undefined)).toEqual(ordinals.map(isShut))
      const shown = found.flatMap((line) => (line === undefined ? [] : [lines.lineAt(line)]))
      expect(shown.map((line) => line?.kind === 'row' && line.ordinal)).toEqual(ordinals.filter((o) => !isShut(o)))
      expect(lines.lineAt(lines.lineCount)).toBeUndefined()
      expect(lines.lineAt(-1)).toBeUndefined()
    }),
  )
})
