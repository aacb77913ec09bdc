import { z } from 'zod'
import type { ChallengeResponse } from '#api/sessions.ts'
import { CHALLENGE_LIFETIME_MS, secondStepMethods } from '#domain/sessions/second-factors.ts'
import { SESSION_KINDS, type SignInMethod } from '#domain/sessions/session.ts'
import { hashSecret, randomToken } from '#server/platform/crypto/hashed-secret.ts'
import { passwordFingerprint, assertSignInCurrent } from '#server/identity/sign-in/assert-sign-in-current.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import { type SessionStart, startSession, type Tokens } from '#server/identity/sessions/start-session.ts'
import { insertChallenge } from './challenges-store.ts'
import { findEnrolledFactors, findFactorUser } from './store.ts'

/** The result of the first step: a session, or a challenge for a second factor. */
export type SignInOutcome =
  | { readonly type: 'signed-in'; readonly tokens: Tokens }
  | { readonly type: 'challenge'; readonly answer: ChallengeResponse }

export type FirstStep = SessionStart & { readonly replaces?: string | undefined }

const METHODS = ['password', 'totp', 'passkey', 'recovery-code', 'provider', 'link'] as const satisfies SignInMethod[]

/** Length of a challenge, which proves that the first step succeeded. */
const CHALLENGE_BYTES = 32

export const secondStepData = z.object({
  kind: z.enum(SESSION_KINDS),
  methods: z.array(z.enum(METHODS)),
  /** Set in the first step; missing in pending sign-ins from before this option existed. */
  isRemembered: z.boolean().default(true),
  /** Hash of the current password, so that a password change invalidates pending sign-ins. */
  passwordMark: z.string(),
})

/**
 * Continues after the first step of a sign-in (password or provider): creates a session, or starts the second step if
 * the user has a second factor.
 */
export async function finishFirstStep(deps: SessionDeps, step: FirstStep): Promise<SignInOutcome> {
  const held = await findEnrolledFactors(deps.database.read, step.userId)
  const methods = secondStepMethods(held)
  if (methods.length === 0) {
    const { replaces, ...start } = step
    return { type: 'signed-in', tokens: await startSession(deps, start, replaces) }
  }
  const id = randomToken(CHALLENGE_BYTES)
  const now = deps.clock()
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFETIME_MS)
  await deps.database.write(async ({ db }) => {
    await assertSignInCurrent(db, step)
    const user = await findFactorUser(db, step.userId)
    const data: z.infer<typeof secondStepData> = {
      kind: step.kind,
      methods: [...step.methods],
      isRemembered: step.isRemembered,
      passwordMark: passwordFingerprint(user?.passwordHash ?? ''),
    }
    await insertChallenge(db, { id: hashSecret(id), kind: 'second-step', userId: step.userId, data, expiresAt }, now)
  })
  return { type: 'challenge', answer: { challenge: { id, methods, expires_at: expiresAt.toISOString() } } }
}
