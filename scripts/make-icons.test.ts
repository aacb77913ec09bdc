import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { iconSource } from './make-icons.ts'

const icons = globSync('web/ui/icons/*.ts').flatMap((path) => readFileSync(path, 'utf8').split('\n\n').slice(1))

test('there are icons to compare', () => {
  expect(icons.length).toBeGreaterThan(50)
})

test('every icon equals the one in Tabler’s set', () => {
  const changed = icons.filter((icon) => icon.trim() !== iconSource(/“(.+)”/.exec(icon)?.[1] ?? ''))
  expect(changed).toEqual([])
})
