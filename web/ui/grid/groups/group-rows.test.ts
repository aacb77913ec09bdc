import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type GridLines, plainLines } from '#web/ui/grid/rows/row-window.ts'
import {
  ALL_COLLAPSED,
  ALL_EXPANDED,
  type CollapsedGroups,
  groupedLines,
  type GroupNode,
  parentOf,
  placesAmongSiblings,
  withToggled,
} from './group-rows.ts'

const open: GroupNode = { key: 'open', depth: 0, first: 0, count: 3 }
const closed: GroupNode = { key: 'closed', depth: 0, first: 3, count: 2 }
const all = { first: 0, end: 5 }

const without = (...keys: readonly string[]): CollapsedGroups => ({ isCollapsed: false, except: new Set(keys) })

function reported(lines: GridLines): string[] {
  return Array.from({ length: lines.lineCount }, (_, line) => {
    const found = lines.lineAt(line)
    if (!found) return 'nothing'
    return found.kind === 'group'
      ? `group ${found.groupIndex}${found.isExpanded ? '' : ' collapsed'}`
      : `row ${found.ordinal}`
  })
}

test('an ungrouped page starts at the ordinal of its first row', () => {
  expect(reported(plainLines({ first: 10, end: 13 }))).toEqual(['row 10', 'row 11', 'row 12'])
  expect(plainLines({ first: 10, end: 13 }).lineOfRow(11)).toBe(1)
})

test('every group has a header above its rows', () => {
  const lines = groupedLines([open, closed], ALL_EXPANDED, all)
  expect(reported(lines)).toEqual(['group 0', 'row 0', 'row 1', 'row 2', 'group 1', 'row 3', 'row 4'])
})

test('a collapsed group shows only its header', () => {
  const lines = groupedLines([open, closed], withToggled(ALL_EXPANDED, 'open'), all)
  expect(reported(lines)).toEqual(['group 0 collapsed', 'group 1', 'row 3', 'row 4'])
  expect(lines.lineOfRow(1)).toBeUndefined()
})

test('a page that starts inside a group shows the group header and every row of the page', () => {
  const lines = groupedLines([open, closed], ALL_EXPANDED, { first: 2, end: 4 })
  expect(reported(lines)).toEqual(['group 0', 'row 2', 'group 1', 'row 3'])
})

test('rows outside all loaded groups are still shown', () => {
  const lines = groupedLines([open], ALL_EXPANDED, all)
  expect(reported(lines)).toEqual(['group 0', 'row 0', 'row 1', 'row 2', 'row 3', 'row 4'])
})

test('collapsing a parent hides the groups inside it', () => {
  const nested: GroupNode[] = [
    { key: 'a', depth: 0, first: 0, count: 3 },
    { key: 'a/x', depth: 1, first: 0, count: 1 },
    { key: 'a/y', depth: 1, first: 1, count: 2 },
    { key: 'b', depth: 0, first: 3, count: 2 },
    { key: 'b/x', depth: 1, first: 3, count: 2 },
  ]
  expect(reported(groupedLines(nested, without('a'), all))).toEqual([
    'group 0 collapsed',
    'group 3',
    'group 4',
    'row 3',
    'row 4',
  ])
  expect(reported(groupedLines(nested, without('a/x'), all)).slice(0, 5)).toEqual([
    'group 0',
    'group 1 collapsed',
    'group 2',
    'row 1',
    'row 2',
  ])
})

/** Three levels of two groups each; each innermost group has two rows. */
const deep: readonly GroupNode[] = ['a', 'b'].flatMap((a, i) => [
  { key: a, depth: 0, first: i * 8, count: 8 },
  ...['x', 'y'].flatMap((x, j) => [
    { key: `${a}${x}`, depth: 1, first: i * 8 + j * 4, count: 4 },
    ...['1', '2'].map((one, k) => ({ key: `${a}${x}${one}`, depth: 2, first: i * 8 + j * 4 + k * 2, count: 2 })),
  ]),
])

test('the position of a nested group is relative to its siblings', () => {
  expect(reported(groupedLines(deep, ALL_EXPANDED, { first: 0, end: 16 })).slice(0, 8)).toEqual([
    'group 0',
    'group 1',
    'group 2',
    'row 0',
    'row 1',
    'group 3',
    'row 2',
    'row 3',
  ])
  const places = placesAmongSiblings(deep)
  expect(places[0]).toEqual({ position: 1, size: 2 })
  expect(places[4]).toEqual({ position: 2, size: 2 })
  expect(places.map(({ position }) => position)).toEqual([1, 1, 1, 2, 2, 1, 2, 2, 1, 1, 2, 2, 1, 2])
  expect([2, 4, 7, 0].map((at) => parentOf(deep, at))).toEqual([1, 0, undefined, undefined])
})

test('with all groups collapsed, only the outermost headers are shown, and expanding one shows its content', () => {
  const span = { first: 0, end: 16 }
  expect(reported(groupedLines(deep, ALL_COLLAPSED, span))).toEqual(['group 0 collapsed', 'group 7 collapsed'])
  const opened = withToggled(withToggled(ALL_COLLAPSED, 'b'), 'by')
  expect(reported(groupedLines(deep, opened, span))).toEqual([
    'group 0 collapsed',
    'group 7',
    'group 8 collapsed',
    'group 11',
    'group 12 collapsed',
    'group 13 collapsed',
  ])
})

test('the position of a row in a collapsed group is that of the group header', () => {
  const lines = groupedLines(deep, without('ay', 'bx1'), { first: 0, end: 16 })
  expect(lines.lineOfRow(6)).toBeUndefined()
  expect(lines.lineNear(6)).toBe(lines.lineOfGroup(4))
  expect(lines.lineNear(9)).toBe(lines.lineOfGroup(9))
  expect(lines.lineNear(3)).toBe(lines.lineOfRow(3))
  expect(lines.lineOfGroup(5)).toBeUndefined()
})

test('rows whose inner groups are not loaded are shown under the parent group', () => {
  const lines = groupedLines(deep.slice(0, 4), ALL_EXPANDED, { first: 0, end: 8 })
  expect(reported(lines).slice(-6)).toEqual(['row 2', 'row 3', 'row 4', 'row 5', 'row 6', 'row 7'])
})

test('every row on a page is on exactly one line, unless its group is collapsed', () => {
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
      const lines = groupedLines(groups, without(String(shut)), span)
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
