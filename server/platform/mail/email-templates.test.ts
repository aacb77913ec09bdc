import { describe, expect, test } from 'vitest'
import {
  secondFactorEmail,
  invitationEmail,
  passwordChangedEmail,
  passwordResetEmail,
  sessionReusedEmail,
} from './email-templates.ts'
import { withoutCodes } from './outbox-store.ts'

const place = { publicUrl: new URL('https://records.example.org:8443') }
const CODE = 'aB3_-'.padEnd(43, 'x')
const who = { to: 'ada@example.org', name: 'Ada', language: 'en', inviter: 'Grace', code: CODE } as const
const inGerman = { ...who, language: 'de' } as const

const EMAILS = [who, inGerman].flatMap((who) => [
  invitationEmail(place, who),
  passwordResetEmail(place, who),
  passwordChangedEmail(place, who, { endedSessions: 'all', revokedTokens: 2 }),
  passwordChangedEmail(place, who, { endedSessions: 'others', revokedTokens: 0 }),
  sessionReusedEmail(place, who, 'Firefox on Linux'),
  secondFactorEmail(place, who, { en: 'a passkey was removed.', de: 'Ein Passkey wurde entfernt.' }),
])

describe.each(EMAILS)('the email “$subject”', ({ subject, text }) => {
  test('is short, factual and includes the workspace name', () => {
    expect(text).toContain('records.example.org:8443')
    expect(text.length).toBeLessThan(750)
    expect(`${subject}${text}`).not.toMatch(/[!<>]/)
    expect(subject.length).toBeLessThan(60)
  })

  test('contains no links except to the public URL', () => {
    const links = text.match(/\w+:\/\/\S+/g) ?? []
    expect(links).toHaveLength(1)
    expect(new URL(links[0] ?? '').origin).toBe(place.publicUrl.origin)
  })
})

test('the code of an email is included in links, but not in the stored text', () => {
  const { text } = invitationEmail(place, who)
  expect(text).toContain(`https://records.example.org:8443/invitation?code=${CODE}\n`)
  expect(passwordResetEmail(place, who).text).toContain(`/reset-password?code=${CODE}\n`)
  expect(withoutCodes(text)).not.toContain(CODE)
  expect(withoutCodes(text)).toContain('/invitation?code=…')
})

test("a name in an email can't insert a line break", () => {
  const { text } = invitationEmail(place, { ...who, name: 'Ada\r\n\r\n\u202eBcc: x', inviter: 'Grace\u2028\u0000' })
  expect(text.split('\n')[0]).toBe('Hello Ada Bcc: x,')
  expect(text).toContain('\nGrace invited you')
})

test("an email is in the recipient's language, or in English by default", () => {
  expect(passwordResetEmail(place, inGerman).subject).toBe('Ihr Passwort für Dossier zurücksetzen')
  expect(passwordResetEmail(place, inGerman).text).toMatch(/^Guten Tag Ada,\n\nfür Ihr Konto auf/)
  expect(passwordResetEmail(place, { ...who, language: 'en' }).text).toBe(passwordResetEmail(place, who).text)
})

test('a custom workspace name appears in subjects and invitations', () => {
  const named = { ...place, workspace: 'Harbor\nOffice' }
  const { subject, text } = invitationEmail(named, who)
  expect([subject, text]).toEqual([
    'Your invitation to Harbor Office',
    expect.stringContaining('workspace Harbor Office'),
  ])
  expect(passwordResetEmail(named, inGerman).subject).toBe('Ihr Passwort für Harbor Office zurücksetzen')
})
