import type { FastifyReply, FastifyRequest } from 'fastify'
import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { hashSecret, randomToken } from '#server/platform/crypto/hashed-secret.ts'

export type TransactionCookie = {
  readonly read: (request: FastifyRequest) => string | undefined
  readonly write: (reply: FastifyReply, secret: string) => void
  readonly clear: (reply: FastifyReply) => void
}

/** Time limit for signing in at the provider. */
export const TRANSACTION_LIFETIME_MS = 10 * 60 * 1000

/**
 * SameSite=Lax, unlike the session cookie, because the provider redirects from another site and a Strict cookie
 * wouldn't be sent. The cookie can only complete this sign-in. Like the session cookie's name, its name depends on the
 * public URL.
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

export const newTransactionSecret = (): string => randomToken(32)

const SECRET_FORM = /^[\w-]{43}$/

export const isTransactionSecret = (text: string): boolean => SECRET_FORM.test(text)

/** The stored transaction ID, from which the secret can't be derived. */
export const transactionId = (secret: string): string => hashSecret(secret)

export type TransactionSecrets = {
  /** Returned in the callback URL; binds the response to this browser. */
  readonly state: string
  /** Returned in the signed ID token; binds the token to this sign-in. */
  readonly nonce: string
  /** Sent only in the code exchange, so that an intercepted code is useless (PKCE). */
  readonly codeVerifier: string
}

const derive = (secret: string, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', `dossier provider ${purpose}`, 32)).toString(
    'base64url',
  )

/**
 * All three values are derived from the browser's secret, so database access alone isn't enough to take over a sign-in.
 */
export const secretsOf = (secret: string): TransactionSecrets => ({
  state: derive(secret, 'state'),
  nonce: derive(secret, 'nonce'),
  codeVerifier: derive(secret, 'code verifier'),
})

export function isState(expected: string, given: string | null): boolean {
  const [wanted, found] = [Buffer.from(expected), Buffer.from(given ?? '')]
  return wanted.length === found.length && timingSafeEqual(wanted, found)
}
