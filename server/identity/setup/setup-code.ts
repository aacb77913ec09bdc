import { createHash, timingSafeEqual } from 'node:crypto'
import type { ThrottleRule } from '#domain/sessions/login-throttle.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'

/** Knows the set-up code when it sees it, and nothing more: only the hash is kept. */
export type SetupCode = { readonly isCode: (code: string) => boolean }

/** The code cannot be guessed; the wait is there so that trying costs the server nothing. */
export const SETUP_ATTEMPT_RULES = {
  address: { freeFailures: 5, longestWaitSeconds: 60 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

const CODE_BYTES = 24

const digest = (code: string): Buffer => createHash('sha256').update(code).digest()

/** The code and the gate that opens to it. It is made from the keys: a link that one process printed may lead to another. */
export function createSetupCode({ current }: KeyRing): { readonly gate: SetupCode; readonly code: string } {
  const code = Buffer.from(current.keyFor('setup')).subarray(0, CODE_BYTES).toString('base64url')
  const wanted = digest(code)
  return { code, gate: { isCode: (given) => timingSafeEqual(digest(given), wanted) } }
}

/** The link that is printed. */
export const setupLink = (publicUrl: URL, code: string): string => new URL(`/setup?code=${code}`, publicUrl).href
