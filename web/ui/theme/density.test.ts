import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

const valuesOf = (selector: string): string[] =>
  (css.split(`${selector} {`)[1]?.split('}')[0] ?? '').split(';').flatMap((line) => line.trim() || [])

test('comfortable density is the same whether the device or the user selected it', () => {
  const chosen = valuesOf(':root:root[data-density="comfortable"]')
  expect(chosen).toContain('--row: 40px')
  expect(valuesOf(':root:root:not([data-density="compact"])')).toEqual(chosen)
})
