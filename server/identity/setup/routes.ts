import * as api from '#api/sessions.ts'
import { Problem } from '#domain/shared/problem.ts'
import { open } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import {
  assertNotFromForeignPage,
  deviceOf,
  sendTokens,
  type SessionRouteDeps,
} from '#server/identity/sign-in/routes.ts'
import { startSession } from '#server/identity/sessions/start-session.ts'
import { clientAddressKey } from '#server/platform/http/client-connection.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'
import { createFirstOwner, isOwnerMissing } from './ensure-owner.ts'
import { assertSafePassword, type PasswordCheckDeps } from '#server/identity/passwords/leaked-passwords.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { ThrottleRule } from '#domain/sessions/login-throttle.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'

/** Verifies the setup code; only its hash is stored in memory. */
type SetupCode = { readonly isCode: (code: string) => boolean }

/** The code can't be guessed; the delay only limits the load. */
export const SETUP_ATTEMPT_RULES = {
  address: { freeFailures: 5, maxWaitSeconds: 60 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

const CODE_BYTES = 24

const digest = (code: string): Buffer => createHash('sha256').update(code).digest()

/** Derived from the keys, so that a link printed by one process works in another. */
export function createSetupCode({ current }: KeyRing): { readonly gate: SetupCode; readonly code: string } {
  const code = Buffer.from(current.keyFor('setup')).subarray(0, CODE_BYTES).toString('base64url')
  const wanted = digest(code)
  return { code, gate: { isCode: (given) => timingSafeEqual(digest(given), wanted) } }
}

export const setupLink = (publicUrl: URL, code: string): string => new URL(`/setup?code=${code}`, publicUrl).href

/** `gate` is undefined if an owner already existed when the server started. */
export type SetupRouteDeps = Omit<SessionRouteDeps, 'tries'> &
  PasswordCheckDeps & {
    readonly gate: SetupCode | undefined
    readonly tries: AttemptCounter<'address'>
    readonly offersSample: boolean
  }

const setupDone = (): Problem => new Problem('setup-done', 'This workspace already has an owner. Sign in instead.')

const wrongSetupCode = (): Problem =>
  new Problem(
    'setup-code-wrong',
    'This setup link is no longer valid. Use the one the server printed when it last started.',
  )

const readSetupRoute = ({ database, offersSample }: SetupRouteDeps): Route =>
  route(api.readSetup, open('there are no accounts yet'), async () => ({
    needed: await isOwnerMissing(database.read),
    offersSample,
  }))

const setUpRoute = (deps: SetupRouteDeps): Route =>
  route(api.setUp, open('the one-time code authorizes the request'), async ({ body, request, reply }) => {
    assertNotFromForeignPage(request, deps.publicUrl)
    if (deps.gate === undefined || !(await isOwnerMissing(deps.database.read))) throw setupDone()
    // The code can't be guessed, so failures of other clients don't delay a valid one.
    if (!deps.gate.isCode(body.code)) {
      await deps.tries.count({ address: clientAddressKey(request.ip) })
      throw wrongSetupCode()
    }

    const { email, name, password, workspaceName } = body
    await assertSafePassword(deps, { email, name, password })
    const ownerId = await createFirstOwner(deps, { email, name, password }, { address: request.ip, workspaceName })
    if (ownerId === undefined) throw setupDone()
    const device = deviceOf(request)
    const start = { userId: ownerId, kind: 'browser', device, methods: ['password'], isRemembered: true } as const
    return sendTokens(deps, reply, await startSession(deps, start))
  })

/** Setup routes, available only until an owner exists. */
export const setupRoutes = (deps: SetupRouteDeps): readonly Route[] => [readSetupRoute(deps), setUpRoute(deps)]
