import { expect, test } from 'vitest'
import { SHORTCUTS } from '#web/ui/shortcuts/shortcuts.tsx'
import { shortcutGroups } from './shortcut-groups.ts'

test('every key that is bound is on the sheet, and none that is not', () => {
  const [everywhere, list] = shortcutGroups()
  const shown = [...(everywhere?.lines ?? []), ...(list?.lines ?? [])].flatMap(({ keys }) => keys)
  expect(shown.toSorted()).toEqual(SHORTCUTS.map(({ keys }) => keys).toSorted())
})

test('every line of the sheet has keys, and says what they do', () => {
  const lines = shortcutGroups().flatMap((group) => group.lines)
  expect(lines.filter(({ keys, does }) => keys.length === 0 || does === '')).toEqual([])
})
