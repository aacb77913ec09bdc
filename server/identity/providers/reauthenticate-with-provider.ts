import type { Actor } from '#domain/access/actor.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { recordAuthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import type { Identity } from './provider-identity.ts'
import type { Provider } from './provider-registry.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { findLinkedUser, listIdentities } from './store.ts'
import { isProviderEnough } from '#domain/sessions/second-factors.ts'
import { findEnrolledFactors } from '#server/identity/factors/store.ts'

/** Users with a second factor can't re-authenticate with a provider. */
const canReauthenticateWithProvider = async (db: Reader, userId: UserId): Promise<boolean> =>
  isProviderEnough(await findEnrolledFactors(db, userId))

/** Provider timestamps have one-second resolution, and a provider's servers can have slightly different clocks. */
const ROUNDING_SECONDS = 5

type ReauthenticationFailure = 'second-factor' | 'not-linked' | 'somebody-else' | 'no-time' | 'not-asked-anew'

const FAILURE_MESSAGES: { readonly [Why in ReauthenticationFailure]: (label: string) => string } = {
  'second-factor': () => 'Your account has a second factor. Use it to confirm your identity.',
  'not-linked': (label) => `Your account isn’t linked to ${label}. Confirm your identity another way.`,
  'somebody-else': (label) =>
    `You signed in to ${label} with a different account than the linked one. Start again with the linked account.`,
  'no-time': (label) =>
    `${label} doesn’t report when you signed in, so it can’t confirm your identity. Request a password reset link, set a password and use it to confirm.`,
  'not-asked-anew': (label) =>
    `${label} didn’t ask you to sign in again, so your identity wasn’t confirmed. Sign out there, then start again.`,
}

export async function reauthenticatingUser(
  { database, providers }: ProviderDeps,
  actor: Actor,
  provider: string,
): Promise<{ readonly userId: UserId; readonly sessionId: SessionId }> {
  if (actor.type !== 'user' || actor.sessionId === null) {
    throw new Problem('token-missing', 'Sign in to confirm your identity.')
  }
  const { userId, sessionId } = actor
  const label = providers.list().find(({ name }) => name === provider)?.label ?? provider
  const isLinked = (await listIdentities(database.read, userId)).some((one) => one.provider === provider)
  if (!isLinked) throw new Problem('forbidden', FAILURE_MESSAGES['not-linked'](label))
  if (!(await canReauthenticateWithProvider(database.read, userId))) {
    throw new Problem('forbidden', FAILURE_MESSAGES['second-factor'](label))
  }
  return { userId, sessionId }
}

export type ProviderReauthentication = {
  readonly identity: Identity
  readonly provider: Provider
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly address: string
  readonly begunAt: Date
}

/** Marks the requesting session as re-authenticated if the provider has just authenticated the linked identity. */
export async function reauthenticateWithProvider(deps: ProviderDeps, proof: ProviderReauthentication): Promise<void> {
  const { provider, userId, sessionId, address } = proof
  const now = deps.clock()
  const doubt = await deps.database.write(async ({ db }) => {
    const why = checkAuthTime(proof, now) ?? (await findFailure(db, proof))
    if (why === undefined) await recordAuthentication(db, { sessionId, method: 'provider', now })
    await writeAudit(db, deps, {
      kind: why === undefined ? 'stepped-up' : 'step-up-failed',
      userId,
      address,
      details: { method: 'provider', provider: provider.name, ...(why !== undefined && { why }) },
    })
    return why
  })
  if (doubt !== undefined) throw new Problem('login-refused', FAILURE_MESSAGES[doubt](provider.label))
}

/** Whether the provider authenticated the user after our request; compares only timestamps from the same clock. */
function checkAuthTime(
  { identity, begunAt }: ProviderReauthentication,
  now: Date,
): ReauthenticationFailure | undefined {
  const { authenticatedAtSeconds, issuedAtSeconds } = identity
  if (authenticatedAtSeconds === undefined) return 'no-time'
  const sinceBegunSeconds = (now.getTime() - begunAt.getTime()) / 1000
  const sinceRequestSeconds = issuedAtSeconds - authenticatedAtSeconds
  const isAnew = sinceRequestSeconds >= -ROUNDING_SECONDS && sinceRequestSeconds <= sinceBegunSeconds + ROUNDING_SECONDS
  return isAnew ? undefined : 'not-asked-anew'
}

/** Checks again with current data, because a second factor may have been set up in the meantime. */
async function findFailure(
  db: Reader,
  { identity, userId }: ProviderReauthentication,
): Promise<ReauthenticationFailure | undefined> {
  if ((await findLinkedUser(db, identity))?.id !== userId) return 'somebody-else'
  return (await canReauthenticateWithProvider(db, userId)) ? undefined : 'second-factor'
}
