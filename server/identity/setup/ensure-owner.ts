import { OWNER } from '#domain/access/policy.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { storeWorkspaceName } from '#server/identity/branding/workspace-branding.ts'
import { storeTimeZone } from '#server/query/definitions/workspace-time-zone.ts'
import type { Database, Reader } from '#server/platform/database/database.ts'
import { dropAllFactors } from '#server/identity/factors/drop-all-factors.ts'
import { endAllSessions } from '#server/identity/sessions/session-deps.ts'
import { type NewUser, prepareUser, storeUser, type UserDeps } from '#server/identity/users/create-user.ts'
import { findUserByEmail, hasOwner, replaceLogin } from '#server/identity/users/store.ts'
import { checkPassword, PASSWORD_MESSAGES } from '#domain/sessions/password-rules.ts'
import { Problem } from '#domain/shared/problem.ts'

export const isOwnerMissing = async (read: Reader): Promise<boolean> => !(await hasOwner(read))

const commandLineAudit = (aboutId: UserId) => ({ userId: null, aboutId, address: '' })

type OwnerDeps = UserDeps & { readonly database: Database }
type NewOwner = Omit<NewUser, 'roles'>

/**
 * Creates the first owner; undefined if one exists. Serialized, so that only one of several concurrent setups succeeds.
 */
export async function createFirstOwner(
  deps: OwnerDeps,
  owner: NewOwner,
  { address = '', workspaceName = '' }: { readonly address?: string; readonly workspaceName?: string | undefined } = {},
): Promise<UserId | undefined> {
  const prepared = await prepareUser(deps, { ...owner, roles: [OWNER] })
  return deps.database.write(
    async (transaction) => {
      if (await hasOwner(transaction.db)) return undefined
      const userId = await storeUser(transaction, prepared)
      await storeTimeZone(transaction, new Intl.DateTimeFormat().resolvedOptions().timeZone)
      if (workspaceName !== '') await storeWorkspaceName(transaction.db, workspaceName)
      await writeAudit(transaction.db, deps, { kind: 'owner-created', userId, address })
      return userId
    },
    { alone: 'owners' },
  )
}

/**
 * Creates an owner from the command line. For an existing user, it assigns the role, sets a new password, removes
 * second factors and revokes sessions, to restore access if every owner is locked out. This is safe, because anyone who
 * can run the command can also read the database.
 */
export async function ensureOwner(deps: OwnerDeps, owner: NewOwner): Promise<'created' | 'changed'> {
  const prepared = await prepareUser(deps, { ...owner, roles: [OWNER] })
  return deps.database.write(
    async (transaction) => {
      const existing = await findUserByEmail(transaction.db, prepared.emailFold)
      if (existing === undefined) {
        const aboutId = await storeUser(transaction, prepared)
        await writeAudit(transaction.db, deps, { kind: 'owner-created', ...commandLineAudit(aboutId) })
        return 'created'
      }
      const roles = [...new Set([...existing.roles, OWNER])]
      await replaceLogin(transaction.db, existing.id, { ...prepared, roles })
      await dropAllFactors(transaction, existing.id)
      await endAllSessions(transaction, existing.id, 'password-changed', deps.clock())
      const details = { to: OWNER }
      await writeAudit(transaction.db, deps, { kind: 'password-changed', ...commandLineAudit(existing.id) })
      await writeAudit(transaction.db, deps, { kind: 'role-changed', ...commandLineAudit(existing.id), details })
      return 'changed'
    },
    { alone: 'owners' },
  )
}

/** Unattended setup: creates the owner configured in the environment on the first start; later starts do nothing. */
export async function createConfiguredOwner(
  deps: UserDeps & { readonly database: Database },
  owner: { readonly email: string; readonly password: string },
): Promise<void> {
  if (!(await isOwnerMissing(deps.database.read))) return
  const name = owner.email.split('@', 1)[0] ?? owner.email
  const outcome = checkPassword(owner.password, { email: owner.email, name })
  if (outcome !== 'good') {
    throw new Problem('password-weak', `DOSSIER_OWNER_PASSWORD is not accepted. ${PASSWORD_MESSAGES[outcome]}`)
  }
  await createFirstOwner(deps, { ...owner, name })
}
