import { checkPassword, PASSWORD_MESSAGES } from '#domain/sessions/password-rules.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { UserDeps } from '#server/identity/users/create-user.ts'
import { createFirstOwner, isOwnerMissing } from '#server/identity/setup/ensure-owner.ts'

/** For unattended set-up: makes the owner that the environment names, at the first start; later starts do nothing. */
export async function createConfiguredOwner(
  needs: UserDeps & { readonly database: Database },
  owner: { readonly email: string; readonly password: string },
): Promise<void> {
  if (!(await isOwnerMissing(needs.database.read))) return
  const name = owner.email.split('@', 1)[0] ?? owner.email
  const verdict = checkPassword(owner.password, { email: owner.email, name })
  if (verdict !== 'good') {
    throw new Problem('password-weak', `DOSSIER_OWNER_PASSWORD is not accepted. ${PASSWORD_MESSAGES[verdict]}`)
  }
  await createFirstOwner(needs, { ...owner, name })
}
