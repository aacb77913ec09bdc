import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SessionId } from '#domain/shared/ids.ts'

const VERSION = 'r1'

/** What a refresh token says of itself; believed only after `isAuthentic`. */
export type PresentedRefresh = {
  readonly sessionId: SessionId
  readonly counter: number
  readonly signature: string
}

/** The secret of one session, of which all its refresh tokens are made. No token itself is ever stored. */
export const newRefreshKey = (): string => randomBytes(32).toString('base64url')

const sign = (key: string, text: string): Buffer =>
  createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest()

const textOf = (sessionId: SessionId, counter: number): string => `${VERSION}.${sessionId}.${counter}`

/** The refresh token of a session with this number; the same each time it is made. */
export function makeRefreshToken(session: {
  readonly id: SessionId
  readonly counter: number
  readonly refreshKey: string
}): string {
  const text = textOf(session.id, session.counter)
  return `${text}.${sign(session.refreshKey, text).toString('base64url')}`
}

/** Takes a token apart; undefined when it has not even the form of one. */
export function parseRefreshToken(token: string): PresentedRefresh | undefined {
  const found = /^r1\.([0-9a-z]{1,40})\.(0|[1-9]\d{0,8})\.([\w-]{43})$/.exec(token)
  if (found === null) return undefined
  const [, sessionId = '', counter = '', signature = ''] = found
  return { sessionId, counter: Number(counter), signature }
}

/** Whether this token was made with the session's secret. */
export function isAuthentic(presented: PresentedRefresh, refreshKey: string): boolean {
  const wanted = sign(refreshKey, textOf(presented.sessionId, presented.counter))
  const given = Buffer.from(presented.signature, 'base64url')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
