import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { iconSource } from './make-icons.ts'

const icons = globSync('web/ui/icons/*.ts').flatMap((path) => [
  ...readFileSync(path, 'utf8').matchAll(/^export const Icon(\w+) = (?:outlined|filled)\([^)]+\)/gm),
])

/** Converts `ArrowUp` to `arrow-up`. */
const nameInSet = (name = ''): string =>
  name.replace(/(?<=.)(?=[A-Z])|(?<=[a-z])(?=\d)|(?<=[A-Z])(?=\d)/g, '-').toLowerCase()

test('finds at least one icon to compare', () => {
  expect(icons.length).toBeGreaterThan(50)
})

test('every icon equals the icon of the same name in Tabler’s set', () => {
  const changed = icons.filter(([icon, name]) => icon !== iconSource(nameInSet(name)))
  expect(changed.map(([icon]) => icon)).toEqual([])
})
