import { expect, test } from 'vitest'
import { auditDetails, type AuditItem, auditSentence } from './audit-words.ts'

const ADA = { id: 'u1', name: 'Ada' }
const BOB = { id: 'u2', name: 'Bob' }

const anEntry = (part: Partial<AuditItem>): AuditItem => ({
  id: 'a1',
  at: '2026-11-20T08:00:00.000Z',
  kind: 'signed-in',
  user: ADA,
  about: null,
  address: '127.0.0.1',
  details: {},
  ...part,
})

test('an entry is told as a sentence with the names of people', () => {
  expect(auditSentence(anEntry({}))).toBe('Ada signed in')
  expect(auditSentence(anEntry({ kind: 'role-changed', about: BOB }))).toBe('Ada changed the role of Bob')
  expect(auditSentence(anEntry({ kind: 'factor-removed' }))).toBe('Ada removed a second factor')
  const helped = anEntry({ kind: 'factor-removed', about: BOB, details: { factor: 'all' } })
  expect(auditSentence(helped)).toBe('Ada removed the second factors of Bob')
})

test('a failed sign-in does not say that somebody did it, only whom it was for', () => {
  expect(auditSentence(anEntry({ kind: 'sign-in-failed', user: null, about: BOB }))).toBe('A sign-in failed for Bob')
  expect(auditSentence(anEntry({ kind: 'sign-in-failed', user: null }))).toBe('A sign-in failed')
})

test('a kind that is new to this page is shown by its name', () => {
  expect(auditSentence(anEntry({ kind: 'moon-landed' }))).toBe('moon-landed')
})

test('details are in words, and ids are left to programs', () => {
  expect(auditDetails(anEntry({ details: { method: 'totp', session: '01hz' } }))).toBe('authenticator app')
  expect(auditDetails(anEntry({ details: { factor: 'passkey', name: 'My phone' } }))).toBe('passkey · “My phone”')
  const changed = anEntry({
    kind: 'session-policy-changed',
    details: { before: '7 days', after: '1 hour', ended: '2' },
  })
  expect(auditDetails(changed)).toBe('Before: 7 days · Now: 1 hour · 2 ended')
})
