import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formulaReference } from '#tests/support/formula-reference.ts'

test('docs/formulas.md lists every function with its signature, meaning and examples', () => {
  expect(readFileSync('docs/formulas.md', 'utf8')).toContain(formulaReference())
})
