import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { iconSource } from './make-icons.ts'

const icons = globSync('web/ui/icons/*.ts').flatMap((path) => [
  ...readFileSync(path, 'utf8').matchAll(/^export const Icon(\w+) = (?:outlined|filled)\([^)]+\)/gm),
])

/** `arrow-up` for `ArrowUp`. */
const nameInSet = (name = ''): string =>
  name.replace(/(?<=.)(?=[A-Z])|(?<=[a-z])(?=\d)|(?<=[A-Z])(?=\d)/g, '-').toLowerCase()

test('finds icons to compare', () => {
  expect(icons.length).toBeGreaterThan(50)
})

test('every icon equals the one in Tabler’s set', () => {
  const changed = icons.filter(([icon, name]) => icon !== iconSource(nameInSet(name)))
  expect(changed.map(([icon]) => icon)).toEqual([])
})
