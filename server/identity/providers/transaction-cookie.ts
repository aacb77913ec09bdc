import type { FastifyReply, FastifyRequest } from 'fastify'

/** The cookie that ties a provider's answer to the browser that asked for it. */
export type TransactionCookie = {
  readonly read: (request: FastifyRequest) => string | undefined
  readonly write: (reply: FastifyReply, secret: string) => void
  readonly clear: (reply: FastifyReply) => void
}

/** How long a person may take at the provider. */
export const TRANSACTION_LIFETIME_MS = 10 * 60 * 1000

/**
 * Lax, unlike the cookie of the session: the person comes back from another site, and no Strict cookie would come along.
 * It can do nothing but finish this one sign-in. Its form follows the public address, as that of the session does.
 */
export function transactionCookieFor(publicUrl: URL): TransactionCookie {
  const isSecure = publicUrl.protocol === 'https:'
  const name = isSecure ? '__Host-dossier_provider' : 'dossier_provider'
  const flags = { path: '/', httpOnly: true, secure: isSecure, sameSite: 'lax' } as const
  return {
    read: (request) => request.cookies[name] || undefined,
    write: (reply, secret) => {
      reply.setCookie(name, secret, { ...flags, maxAge: TRANSACTION_LIFETIME_MS / 1000 })
    },
    clear: (reply) => {
      reply.clearCookie(name, flags)
    },
  }
}
