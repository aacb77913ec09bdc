import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { notifyUser } from '#server/identity/factors/notify-user.ts'
import { foldEmail } from '#server/identity/users/create-user.ts'
import type { Identity } from './provider-identity.ts'
import type { Provider } from './provider-registry.ts'
import type { ProviderDeps } from './provider-deps.ts'
import {
  consumeInvitation,
  deleteIdentities,
  findInvited,
  findLinkedUser,
  insertIdentity,
  listIdentities,
} from './store.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { findEnrolledFactors, findFactorUser } from '#server/identity/factors/store.ts'

async function hasOwnSignIn(db: Reader, userId: UserId): Promise<boolean> {
  const user = await findFactorUser(db, userId)
  return (user !== undefined && user.passwordHash !== '') || (await findEnrolledFactors(db, userId)).passkeyCount > 0
}

type ProvenIdentity = { readonly identity: Identity; readonly provider: Provider; readonly address: string }

export async function linkIdentity(
  deps: ProviderDeps,
  { identity, provider, userId, address }: ProvenIdentity & { readonly userId: UserId },
): Promise<void> {
  const now = deps.clock()
  await deps.database.write(async (transaction) => {
    const { db } = transaction
    const before = await findLinkedUser(db, identity)
    if (before?.id === userId) return
    await deleteIdentities(db, userId, provider.name)
    const isLinked = await insertIdentity(db, identity, { userId, provider: provider.name, now })
    if (!isLinked) {
      throw new Problem(
        'login-refused',
        `This ${provider.label} sign-in is linked to another account in this workspace. Unlink it there first.`,
      )
    }
    await writeAudit(db, deps, { kind: 'provider-linked', userId, address, details: { provider: provider.name } })
    await notifyUser(transaction, deps, userId, {
      en: `a sign-in at ${provider.label} was linked and can now be used to sign in.`,
      de: `Eine Anmeldung bei ${provider.label} wurde verbunden und kann jetzt zum Anmelden verwendet werden.`,
    })
  })
}

/**
 * Accepts an invitation if the provider has verified the invited email address, which is as secure as the emailed link.
 * To prevent account takeover, email addresses aren't matched in any other case.
 */
export async function acceptInvitationByProvider(
  deps: ProviderDeps,
  { identity, provider, address, email }: ProvenIdentity & { readonly email: string },
): Promise<UserId | undefined> {
  const now = deps.clock()
  return deps.database.write(async ({ db }) => {
    const userId = await findInvited(db, foldEmail(email), now)
    if (userId === undefined || !(await consumeInvitation(db, userId, now))) return undefined
    await insertIdentity(db, identity, { userId, provider: provider.name, now })
    const details = { provider: provider.name }
    await writeAudit(db, deps, { kind: 'invitation-accepted', userId, address, details })
    await writeAudit(db, deps, { kind: 'provider-linked', userId, address, details })
    return userId
  })
}

/** Unlinks a provider unless it is the user's last sign-in method. */
export async function unlinkProvider(
  deps: ProviderDeps,
  { userId, name, address }: { readonly userId: UserId; readonly name: string; readonly address: string },
): Promise<void> {
  const label = deps.providers.list().find((one) => one.name === name)?.label ?? name
  await deps.database.write(async (transaction) => {
    const isGone = await deleteIdentities(transaction.db, userId, name)
    if (!isGone) throw new Problem('not-found', 'No identity provider with this name is linked to your account.')
    const isOnlyWay = (await listIdentities(transaction.db, userId)).length === 0
    if (isOnlyWay && !(await hasOwnSignIn(transaction.db, userId))) {
      throw new Problem(
        'forbidden',
        `${label} is your only way to sign in. Set a password or add a passkey before you unlink it.`,
      )
    }
    await writeAudit(transaction.db, deps, { kind: 'provider-unlinked', userId, address, details: { provider: name } })
    await notifyUser(transaction, deps, userId, {
      en: `your sign-in at ${label} was unlinked.`,
      de: `Ihre Anmeldung bei ${label} wurde getrennt.`,
    })
  })
}
