import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { type KnownDevices, createKnownDevices } from './known-device.ts'
import type { Tokens } from '#server/identity/sessions/start-session.ts'

export type RefreshCookie = {
  readonly read: (request: FastifyRequest) => string | undefined
  readonly write: (reply: FastifyReply, tokens: Tokens, now: Date) => void
  readonly clear: (reply: FastifyReply) => void
  /** The known-device cookie, which outlives the session. */
  readonly knownDevices: KnownDevices
}

/**
 * Its name follows the configured public URL, never a request: with https it is bound to this host (`__Host-`); on
 * plain http browsers would drop a Secure cookie.
 */
export function refreshCookieFor(publicUrl: URL, keys: KeyRing): RefreshCookie {
  const isSecure = publicUrl.protocol === 'https:'
  const name = isSecure ? '__Host-dossier_refresh' : 'dossier_refresh'
  const flags = { path: '/', httpOnly: true, secure: isSecure, sameSite: 'strict' } as const
  return {
    read: (request) => request.cookies[name] || undefined,
    write: (reply, { refreshToken, endsAt, isRemembered }, now) => {
      const maxAge = Math.max(0, Math.floor((endsAt.getTime() - now.getTime()) / 1000))
      // Without Max-Age the browser deletes it when it is closed.
      reply.setCookie(name, refreshToken, isRemembered ? { ...flags, maxAge } : flags)
    },
    clear: (reply) => {
      reply.clearCookie(name, flags)
    },
    knownDevices: createKnownDevices(publicUrl, keys),
  }
}
