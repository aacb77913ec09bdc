import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ICONS_FOLDER, iconFile } from './make-icons.ts'

const names = readdirSync(ICONS_FOLDER).flatMap((file) => /^icon-(.+)\.ts$/.exec(file)?.[1] ?? [])

test('there are icons to look at', () => {
  expect(names.length).toBeGreaterThan(50)
})

test.each(names)('the icon “%s” is Tabler’s own, as the script takes it', (name) => {
  const { file, text } = iconFile(name)
  expect(readFileSync(file, 'utf8')).toBe(text)
})
