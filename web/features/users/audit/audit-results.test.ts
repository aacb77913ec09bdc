import { expect, test } from 'vitest'
import type { AuditItem } from '#domain/audit/describe-audit.ts'
import { describeAuditEntry } from './audit-results.tsx'

const inGerman = (rule: { readonly id: string; readonly name: string }) =>
  rule.id === 'editor' ? { name: 'Bearbeiter' } : rule

const detailsOf = (kind: string, details: AuditItem['details']): AuditItem['details'] =>
  describeAuditEntry(
    { id: 'a1', at: '', kind, user: null, about: null, collection: null, address: '', details, changes: [] },
    inGerman,
  ).details

test('names of built-in roles are translated in every audit entry', () => {
  expect(detailsOf('role-edited', { name: 'Editor', role: 'editor' })).toMatchObject({ name: 'Bearbeiter' })
  expect(detailsOf('policy-edited', { name: 'Editor', policy: 'editor' })).toMatchObject({ name: 'Bearbeiter' })
  expect(detailsOf('invited', { role: 'editor r1', roles: 'Editor, Boss' })).toMatchObject({
    roles: 'Bearbeiter, Boss',
  })
  expect(detailsOf('role-changed', { from: '', to: 'Editor', was: '', is: 'editor' })).toMatchObject({
    from: '',
    to: 'Bearbeiter',
  })
})

test('custom role names are unchanged, even if they contain a comma or match a built-in role', () => {
  expect(detailsOf('role-edited', { name: 'Editor', role: 'r1' })).toMatchObject({ name: 'Editor' })
  expect(detailsOf('invited', { role: 'r1', roles: 'Editor, in chief' })).toMatchObject({ roles: 'Editor, in chief' })
  expect(detailsOf('passkey-renamed', { from: 'Editor', to: 'Phone' })).toEqual({ from: 'Editor', to: 'Phone' })
})
