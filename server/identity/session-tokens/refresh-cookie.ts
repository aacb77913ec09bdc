import type { FastifyReply, FastifyRequest } from 'fastify'
import { type KeyRing, DEVICE_MARK_MS } from '#server/platform/crypto/key-ring.ts'
import type { Tokens } from '#server/identity/sessions/start-session.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UserId } from '#domain/shared/ids.ts'
import { randomToken } from '#server/platform/crypto/hashed-secret.ts'

export type KnownDevice = { readonly id: string; readonly userId: UserId }

/**
 * The known-browser cookie. It doesn't grant access, but sign-in delays depend only on failures in this browser, so
 * that strangers can't lock out the owner by guessing.
 */
type KnownDevices = {
  readonly read: (request: FastifyRequest) => KnownDevice | undefined
  readonly remember: (reply: FastifyReply, userId: UserId) => void
}

/** Half a year; an unused browser is then forgotten. */
const COOKIE_MAX_AGE_SECONDS = DEVICE_MARK_MS / 1000

const DEVICE_ID_BYTES = 16

const FORM = /^d1\.([\w-]+)\.([\w-]+)\.([\w-]+)\.([\w-]+)$/

/** Like the session cookie's name, the name depends on the public URL. */
function createKnownDevices(publicUrl: URL, keys: KeyRing): KnownDevices {
  const isSecure = publicUrl.protocol === 'https:'
  const name = isSecure ? '__Host-dossier_device' : 'dossier_device'
  const flags = { path: '/', httpOnly: true, secure: isSecure, sameSite: 'strict' } as const

  const markOf = (keyId: string, said: string): Buffer | undefined => {
    const key = keys.findForMark(keyId)
    return key && createHmac('sha256', key.keyFor('known-device')).update(said).digest()
  }

  const markIn = (request: FastifyRequest): (KnownDevice & { readonly keyId: string }) | undefined => {
    const [, keyId = '', userId = '', id = '', mark = ''] = FORM.exec(request.cookies[name] ?? '') ?? []
    const right = markOf(keyId, `${userId}.${id}`)
    const given = Buffer.from(mark, 'base64url')
    const isRight = right !== undefined && right.length === given.length && timingSafeEqual(right, given)
    return isRight ? { id, userId, keyId } : undefined
  }

  return {
    read: markIn,
    remember: (reply, userId) => {
      const known = markIn(reply.request)
      const isSame = known?.userId === userId
      const keyId = keys.current.id
      if (isSame && known.keyId === keyId) return
      // Reissues the cookie with the current key but the same ID, because the failure counter uses the ID.
      const said = `${userId}.${isSame ? known.id : randomToken(DEVICE_ID_BYTES)}`
      const mark = markOf(keyId, said)?.toString('base64url') ?? ''
      reply.setCookie(name, `d1.${keyId}.${said}.${mark}`, { ...flags, maxAge: COOKIE_MAX_AGE_SECONDS })
    },
  }
}

export type RefreshCookie = {
  readonly read: (request: FastifyRequest) => string | undefined
  readonly write: (reply: FastifyReply, tokens: Tokens, now: Date) => void
  readonly clear: (reply: FastifyReply) => void
  /** The known-browser cookie, which outlives the session. */
  readonly knownDevices: KnownDevices
}

/**
 * The cookie's name depends on the configured public URL, never on the request. With https, the `__Host-` prefix binds
 * the cookie to this host; with plain http, browsers would reject such a cookie.
 */
export function refreshCookieFor(publicUrl: URL, keys: KeyRing): RefreshCookie {
  const isSecure = publicUrl.protocol === 'https:'
  const name = isSecure ? '__Host-dossier_refresh' : 'dossier_refresh'
  const flags = { path: '/', httpOnly: true, secure: isSecure, sameSite: 'strict' } as const
  return {
    read: (request) => request.cookies[name] || undefined,
    write: (reply, { refreshToken, endsAt, isRemembered }, now) => {
      const maxAge = Math.max(0, Math.floor((endsAt.getTime() - now.getTime()) / 1000))
      // Without Max-Age, the cookie is deleted when the browser is closed.
      reply.setCookie(name, refreshToken, isRemembered ? { ...flags, maxAge } : flags)
    },
    clear: (reply) => {
      reply.clearCookie(name, flags)
    },
    knownDevices: createKnownDevices(publicUrl, keys),
  }
}
