import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ThrottleRule } from '#domain/sessions/login-throttle.ts'

/** Knows the set-up code when it sees it, and nothing more: only the hash is kept. */
export type SetupGate = { readonly isCode: (code: string) => boolean }

/** The code cannot be guessed; the wait is there so that trying costs the server nothing. */
export const SETUP_RULES = {
  address: { freeFailures: 5, longestWaitSeconds: 60 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

const CODE_BYTES = 24

const digest = (code: string): Buffer => createHash('sha256').update(code).digest()

/** A new code with each start of the server, and the gate that opens to it. The code itself is printed once. */
export function openSetupGate(): { readonly gate: SetupGate; readonly code: string } {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const wanted = digest(code)
  return { code, gate: { isCode: (given) => timingSafeEqual(digest(given), wanted) } }
}

/** The link that is printed. */
export const setupLink = (publicUrl: URL, code: string): string => new URL(`/setup?code=${code}`, publicUrl).href
