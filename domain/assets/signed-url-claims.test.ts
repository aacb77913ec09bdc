import { expect, test } from 'vitest'
import { GUEST } from '#domain/access/actor.ts'
import { type UrlClaim, urlExpiresAtSeconds, urlHolderOf, claimsAllowing, printUrlClaim } from './signed-url-claims.ts'

const endsAt = (now: string) => new Date(urlExpiresAtSeconds(new Date(now)) * 1000).toISOString()

test('a signed URL is valid for at least an hour and stays the same for 15 minutes', () => {
  expect(endsAt('2026-03-01T10:00:00.001Z')).toBe('2026-03-01T11:15:00.000Z')
  expect(endsAt('2026-03-01T10:15:00.000Z')).toBe('2026-03-01T11:15:00.000Z')
  expect(endsAt('2026-03-01T10:15:00.001Z')).toBe('2026-03-01T11:30:00.000Z')
})

const holder = { credential: 'session 1', impersonated: null }
const whole: UrlClaim = { holder, file: 'a', width: null, endsAtSeconds: 1 }

test('the signed payload differs by file, width, expiry, credential and impersonated user', () => {
  const claims: UrlClaim[] = [
    whole,
    { ...whole, width: 240 },
    { ...whole, file: 'b' },
    { ...whole, endsAtSeconds: 2 },
    { ...whole, holder: { ...holder, credential: 'session 2' } },
    { ...whole, holder: { ...holder, credential: 'token 1' } },
    { ...whole, holder: { ...holder, impersonated: 'somebody' } },
  ]
  expect(new Set(claims.map(printUrlClaim)).size).toBe(claims.length)
})

test('a signed URL for the original file also allows its thumbnails, but not vice versa', () => {
  const small = { ...whole, width: 240 }
  expect(claimsAllowing(small)).toEqual([small, whole])
  expect(claimsAllowing(whole)).toEqual([whole])
})

test('a signed URL is bound to a session, a token or an impersonation session', () => {
  const ada = { type: 'user', userId: 'ada', sessionId: '1', name: 'Ada', grants: [] } as const
  expect(urlHolderOf(ada)).toEqual({ credential: 'session 1', impersonated: null })
  expect(urlHolderOf({ ...ada, sessionId: null, tokenId: '7' })).toEqual({ credential: 'token 7', impersonated: null })
  const impersonatedBy = { userId: 'eve', name: 'Eve', permissions: [] }
  expect(urlHolderOf({ ...ada, impersonatedBy })).toEqual({ credential: 'session 1', impersonated: 'ada' })
  expect(urlHolderOf(GUEST)).toBeUndefined()
  expect(urlHolderOf({ type: 'system', reason: 'a command' })).toBeUndefined()
})
