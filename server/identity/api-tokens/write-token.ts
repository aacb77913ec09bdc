import { parseScope, type Scope, TOKEN_PERMISSIONS, type Grant, narrowGrants } from '#domain/access/grant.ts'
import {
  API_TOKEN_BYTES,
  API_TOKEN_LIFETIME_MS,
  API_TOKEN_PREFIX,
  MAX_API_TOKENS,
  checkApiToken,
} from '#domain/sessions/tokens.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator, UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { Database, Transaction } from '#server/platform/database/database.ts'
import type { FactorDeps } from '#server/identity/factors/factor-deps.ts'
import { notifyUser } from '#server/identity/factors/notify-user.ts'
import { hashSecret, randomToken } from '#server/platform/crypto/hashed-secret.ts'
import { oneLine } from '#server/platform/mail/email-templates.ts'
import { findTokenById, insertToken, listTokensOf, revokeTokens, type StoredToken, updateTokenScopes } from './store.ts'

export type TokenDeps = Pick<FactorDeps, 'mailer' | 'publicUrl'> & {
  readonly database: Database
  readonly clock: Clock
  readonly newId: IdGenerator
}

type TokenOwner = { readonly userId: UserId; readonly address: string }

type TokenDraft = {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt?: string | null | undefined
}

/** Creates an API token. Only this response contains the token itself. */
export async function createToken(
  deps: TokenDeps,
  { userId, address }: TokenOwner,
  draft: TokenDraft,
): Promise<{ readonly id: string; readonly token: string }> {
  const now = deps.clock()
  const scopes = checkScopes(draft.scopes)
  const expiresAt = checkEnd(draft.expiresAt, now)
  const token = API_TOKEN_PREFIX + randomToken(API_TOKEN_BYTES)
  const id = deps.newId()
  await deps.database.write(async (transaction) => {
    const { db } = transaction
    const working = (await listTokensOf(db, userId)).filter((one) => checkApiToken(one, now) === 'good')
    if (working.length >= MAX_API_TOKENS) throw tooMany()
    await insertToken(db, {
      id,
      userId,
      hash: hashSecret(token),
      name: draft.name,
      scopes,
      createdAt: now,
      expiresAt,
    })
    await writeAudit(db, deps, {
      kind: 'token-made',
      userId,
      address,
      details: { token: id, name: draft.name, scopes: scopes.join(' ') },
    })
    await notifyUser(transaction, deps, userId, {
      en: `an API token named “${oneLine(draft.name)}” was created with the scopes ${scopes.join(', ')}.`,
      de: `Ein API-Token namens „${oneLine(draft.name)}“ wurde mit diesem Umfang erstellt: ${scopes.join(', ')}.`,
    })
  })
  return { id, token }
}

function checkScopes(scopes: readonly string[]): readonly string[] {
  const errors = scopes.flatMap((scope, at) => {
    if (parseScope(scope) !== undefined) return []
    const message = `Unknown API token scope “${scope}”.`
    return [{ path: `scopes.${at}`, code: 'scope-unknown', message }]
  })
  if (errors.length === 0) return [...new Set(scopes)]
  const detail = `Allowed scopes: ${TOKEN_PERMISSIONS.join(', ')}. To limit a scope to one collection, append @ and the collection ID.`
  throw new Problem('definition-invalid', detail, { errors })
}

function checkEnd(given: string | null | undefined, now: Date): Date | null {
  if (given === undefined) return new Date(now.getTime() + API_TOKEN_LIFETIME_MS)
  if (given === null) return null
  const end = new Date(given)
  if (end > now) return end
  const message = 'Choose a time in the future.'
  throw new Problem('definition-invalid', 'The expiration time is in the past.', {
    errors: [{ path: 'expiresAt', code: 'past', message }],
  })
}

const tooMany = (): Problem =>
  new Problem('definition-invalid', `You’ve reached the limit of ${MAX_API_TOKENS} API tokens. Revoke one first.`)

/** Revokes one token immediately. Another user's token gives the same error as a missing one. */
export async function revokeToken(deps: TokenDeps, { userId, address }: TokenOwner, id: string): Promise<void> {
  await deps.database.write(async ({ db }) => {
    const revoked = await revokeTokens(db, { userId, only: id }, deps.clock())
    if (revoked === 0) throw new Problem('not-found', 'API token not found or already revoked.')
    await writeAudit(db, deps, { kind: 'token-revoked', userId, address, details: { token: id } })
  })
}

export const revokeAllTokens = ({ db }: Transaction, userId: UserId, now: Date): Promise<number> =>
  revokeTokens(db, { userId }, now)

/**
 * Revokes all tokens of a user whose password changed, because anyone who knew the old password could have created
 * tokens.
 */
export async function revokeTokensOfOldPassword(
  transaction: Transaction,
  deps: Pick<TokenDeps, 'clock' | 'newId'>,
  { userId, address }: TokenOwner,
): Promise<number> {
  const revoked = await revokeAllTokens(transaction, userId, deps.clock())
  const entry = { kind: 'token-revoked', userId, address, details: { ended: String(revoked) } } as const
  if (revoked > 0) await writeAudit(transaction.db, deps, entry)
  return revoked
}

/** The current scopes of a token, or undefined if it is no longer valid; for work that continues after the request. */
export async function currentScopes(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  id: string,
): Promise<readonly Scope[] | undefined> {
  const token = await findTokenById(database.read, id)
  if (token === undefined || checkApiToken(token, clock()) !== 'good') return undefined
  return token.scopes.flatMap((scope) => parseScope(scope) ?? [])
}

type TokenChange = { readonly id: string; readonly scopes: readonly string[] }

/** Replaces a token's scopes. Another user's token gives the same error as a missing one. */
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

/** Rejects scopes that the user doesn't have; otherwise, the token would gain them when the user does. */
function assertHeld(grants: readonly Grant[], added: readonly string[]): void {
  const missing = added.filter((scope) => {
    const parsed = parseScope(scope)
    return parsed === undefined || narrowGrants(grants, [parsed]).length === 0
  })
  if (missing.length === 0) return
  const message = `You don’t have these permissions yourself: ${missing.join(', ')}.`
  throw new Problem('definition-invalid', message, { errors: [{ path: 'scopes', code: 'scope-not-held', message }] })
}
