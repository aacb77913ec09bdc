import { describe, expect, test } from 'vitest'
import { isAuthentic, makeRefreshToken, newRefreshKey, parseRefreshToken } from './refresh-token.ts'

const session = { id: '01hzy9abcdefghjkmnpqrstvwx', counter: 7, refreshKey: newRefreshKey() }

describe('a refresh token', () => {
  test('says its session and number, and is the same each time it is made', () => {
    const token = makeRefreshToken(session)
    expect(makeRefreshToken(session)).toBe(token)
    const presented = parseRefreshToken(token)
    expect(presented).toMatchObject({ sessionId: session.id, counter: 7 })
    expect(presented && isAuthentic(presented, session.refreshKey)).toBe(true)
  })

  test('with a number, session or secret exchanged is not authentic', () => {
    const signature = makeRefreshToken(session).split('.')[3] ?? ''
    for (const [sessionId, counter] of [[session.id, 8] as const, ['01hzy9abcdefghjkmnpqrstvww', 7] as const]) {
      expect(isAuthentic({ sessionId, counter, signature }, session.refreshKey)).toBe(false)
    }
    expect(isAuthentic({ sessionId: session.id, counter: 7, signature }, newRefreshKey())).toBe(false)
  })

  test.each([
    '',
    'r1',
    'r1.a.1',
    'r2.a.1.x',
    `r1.a.-1.${'x'.repeat(43)}`,
    `r1.a.01.${'x'.repeat(43)}`,
    'null',
    'x'.repeat(1024),
  ])('that has not the form of one is none: %s', (token) => {
    expect(parseRefreshToken(token)).toBeUndefined()
  })
})
