import { expect, test } from 'vitest'
import { AUDIT_KINDS } from './audit-kind.ts'
import { auditDetails, type AuditItem, auditSentence } from './describe-audit.ts'

const ADA = { id: 'u1', name: 'Ada' }
const BOB = { id: 'u2', name: 'Bob' }

const anEntry = (part: Partial<AuditItem>): AuditItem => ({
  id: 'a1',
  at: '2026-11-20T08:00:00.000Z',
  kind: 'signed-in',
  user: ADA,
  about: null,
  collection: null,
  address: '127.0.0.1',
  details: {},
  changes: [],
  ...part,
})

test('describes an entry as a sentence with names', () => {
  expect(auditSentence(anEntry({}))).toBe('Ada signed in')
  expect(auditSentence(anEntry({ kind: 'role-changed', about: BOB }))).toBe('Ada changed Bob’s roles')
  expect(auditSentence(anEntry({ kind: 'factor-removed' }))).toBe('Ada removed a second factor')
  const helped = anEntry({ kind: 'factor-removed', about: BOB, details: { factor: 'all' } })
  expect(auditSentence(helped)).toBe('Ada removed Bob’s second factors')
})

test('for a failed sign-in, names only the account', () => {
  expect(auditSentence(anEntry({ kind: 'sign-in-failed', user: null, about: BOB }))).toBe('Sign-in failed for Bob')
  expect(auditSentence(anEntry({ kind: 'sign-in-failed', user: null }))).toBe('Sign-in failed')
})

test('shows unknown event kinds by name', () => {
  expect(auditSentence(anEntry({ kind: 'moon-landed' }))).toBe('moon-landed')
})

test('describes an entry’s details without IDs', () => {
  expect(auditDetails(anEntry({ details: { method: 'totp', session: '01hz' } }))).toBe('authenticator app')
  expect(auditDetails(anEntry({ details: { factor: 'passkey', name: 'My phone' } }))).toBe('passkey · “My phone”')
  const changed = anEntry({
    kind: 'session-policy-changed',
    details: { before: '7 days', after: '1 hour', ended: '2' },
  })
  expect(auditDetails(changed)).toBe('Before: 7 days · Now: 1 hour · 2 ended')
  const kept = anEntry({
    kind: 'session-policy-changed',
    details: { before: '10080/43200 720/1440 -', after: '60/43200 720/1440 5' },
  })
  expect(auditDetails(kept)).toBe(
    'Before: kept signed in: 7 days idle, 30 days in total; otherwise: 12 hours idle, 1 day in total; no limit · Now: kept signed in: 1 hour idle, 30 days in total; otherwise: 12 hours idle, 1 day in total; at most 5 sessions',
  )
  const quota = anEntry({ kind: 'storage-quota-changed', details: { before: 'none', after: '50000000' } })
  expect(auditDetails(quota)).toBe('Before: no limit · Now: 50 MB')
})

test('shows the old and new values of roles and names', () => {
  const roles = { from: 'Viewer', to: 'Editor', was: 'viewer', is: 'editor' }
  expect(auditDetails(anEntry({ kind: 'role-changed', about: BOB, details: roles }))).toBe(
    'Before: Viewer · Now: Editor',
  )
})

test('describes every kind of entry without empty placeholders, even if details are missing', () => {
  for (const kind of AUDIT_KINDS) expect(auditSentence(anEntry({ kind, user: null }))).toMatch(/^\p{Lu}.* .*\S$/u)
})

test('includes the name of the role, policy or collection in the sentence', () => {
  const made = anEntry({ kind: 'policy-created', details: { name: 'Payroll', policy: 'p1', was: '', is: '{}' } })
  expect([auditSentence(made), auditDetails(made)]).toEqual(['Ada created the policy “Payroll”', ''])
  const exported = anEntry({ kind: 'records-exported', collection: { id: 'c', name: 'Tasks' } })
  expect(auditSentence(exported)).toBe('Ada exported records from Tasks')
})

test('shows deleted users by ID', () => {
  expect(auditSentence(anEntry({ user: { id: 'u9', name: '' } }))).toBe('“u9” signed in')
})
