import { type Grant, narrowGrants, parseScope } from '#domain/access/grant.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { notifyUser } from '#server/identity/factors/notify-user.ts'
import { oneLine } from '#server/platform/mail/email-templates.ts'
import { checkScopes, type TokenDeps, type TokenOwner } from './create-token.ts'
import { listTokensOf, type StoredToken, updateTokenScopes } from './store.ts'

export type TokenChange = { readonly id: string; readonly scopes: readonly string[] }

/** Replaces the scopes of a token. A token of another user has the same error as a missing one. */
export async function changeToken(
  deps: TokenDeps,
  { userId, address, grants }: TokenOwner & { readonly grants: readonly Grant[] },
  change: TokenChange,
): Promise<StoredToken> {
  const scopes = checkScopes(change.scopes)
  return deps.database.write(async (transaction) => {
    const { db } = transaction
    const before = (await listTokensOf(db, userId)).find(({ id }) => id === change.id)
    if (before === undefined) throw new Problem('not-found', 'API token not found or already revoked.')
    assertHeld(
      grants,
      scopes.filter((scope) => !before.scopes.includes(scope)),
    )
    const [was, is] = [before.scopes.toSorted().join(' '), scopes.toSorted().join(' ')]
    if (was === is) return before
    await updateTokenScopes(db, before.id, scopes)
    const details = { token: before.id, name: before.name, from: was, to: is }
    await writeAudit(db, deps, { kind: 'token-changed', userId, address, details })
    await notifyUser(transaction, deps, userId, {
      en: `the scopes of the API token named “${oneLine(before.name)}” were changed to ${scopes.join(', ')}.`,
      de: `Der Umfang des API-Tokens namens „${oneLine(before.name)}“ wurde geändert: ${scopes.join(', ')}.`,
    })
    return { ...before, scopes }
  })
}

/** Otherwise the token would later gain permissions together with its user. */
function assertHeld(grants: readonly Grant[], added: readonly string[]): void {
  const missing = added.filter((scope) => {
    const parsed = parseScope(scope)
    return parsed === undefined || narrowGrants(grants, [parsed]).length === 0
  })
  if (missing.length === 0) return
  const message = `You don’t have these permissions yourself: ${missing.join(', ')}.`
  throw new Problem('definition-invalid', message, { errors: [{ path: 'scopes', code: 'scope-not-held', message }] })
}
