import type { FastifyReply, FastifyRequest } from 'fastify'
import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { hashSecret, randomToken } from '#server/platform/crypto/hashed-secret.ts'

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

/** What a browser holds while its person is with the provider; it travels in a cookie no script can read. */
export const newTransactionSecret = (): string => randomToken(32)

const SECRET_FORM = /^[\w-]{43}$/

/** Whether a cookie can be one of ours at all. */
export const isTransactionSecret = (text: string): boolean => SECRET_FORM.test(text)

/** What stands in the table of a transaction: its secret cannot be made from it. */
export const transactionId = (secret: string): string => hashSecret(secret)

/** The three values that tie the provider's answer to this one sign-in. */
export type TransactionSecrets = {
  /** Comes back in the address: the answer belongs to the browser that asked. */
  readonly state: string
  /** Comes back in the signed ID token: it was made for this sign-in. */
  readonly nonce: string
  /** Shown only when the code is exchanged: whoever steals the code cannot use it (PKCE). */
  readonly codeVerifier: string
}

const derive = (secret: string, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', `dossier provider ${purpose}`, 32)).toString(
    'base64url',
  )

/** All three are made from the browser's secret, so that the database holds nothing a sign-in could be taken over with. */
export const secretsOf = (secret: string): TransactionSecrets => ({
  state: derive(secret, 'state'),
  nonce: derive(secret, 'nonce'),
  codeVerifier: derive(secret, 'code verifier'),
})

/** Whether the state that came back is the one that was sent. */
export function isState(expected: string, given: string | null): boolean {
  const [wanted, found] = [Buffer.from(expected), Buffer.from(given ?? '')]
  return wanted.length === found.length && timingSafeEqual(wanted, found)
}
