import { expect, test } from 'vitest'
import { codeExpiry, isCodeForm } from './tokens.ts'

const NOW = new Date('2026-03-01T10:00:00.000Z')

test('an invitation works for 48 hours, a reset for one', () => {
  expect(codeExpiry('invitation', NOW).toISOString()).toBe('2026-03-03T10:00:00.000Z')
  expect(codeExpiry('reset', NOW).toISOString()).toBe('2026-03-01T11:00:00.000Z')
})

test('a code is 43 letters of the alphabet for addresses', () => {
  expect(isCodeForm('aB3_-'.padEnd(43, 'x'))).toBe(true)
  for (const strange of ['', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}\n`, 'é'.repeat(43)]) {
    expect(isCodeForm(strange)).toBe(false)
  }
})
