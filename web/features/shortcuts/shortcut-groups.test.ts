import { expect, test } from 'vitest'
import { SHORTCUTS } from '#web/ui/shortcuts/shortcuts.tsx'
import { shortcutGroups } from './shortcut-groups.ts'

test('the shortcut list contains exactly the bound shortcuts', () => {
  const [everywhere, list] = shortcutGroups()
  const shown = [...(everywhere?.lines ?? []), ...(list?.lines ?? [])].flatMap(({ keys }) => keys)
  expect(shown.toSorted()).toEqual(SHORTCUTS.map(({ keys }) => keys).toSorted())
})

test('every row of the shortcut list has keys and a description', () => {
  const lines = shortcutGroups().flatMap((group) => group.lines)
  expect(lines.filter(({ keys, does }) => keys.length === 0 || does === '')).toEqual([])
})
