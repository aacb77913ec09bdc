import { checkPassword, PASSWORD_MESSAGES, type PasswordOwner } from '#domain/sessions/password-rules.ts'
import type { Clock } from '#domain/shared/time.ts'
import { isId } from '#domain/fields/relation.ts'
import { hasEmail } from '#domain/imports/find-person.ts'
import { foldText } from '#domain/shared/text.ts'
import type { IdGenerator, RoleId, UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { hashPassword } from '#server/identity/passwords/password-hash.ts'
import { insertUser, type NewUserRow } from './store.ts'

export type NewUser = {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly roles: readonly RoleId[]
}

export type UserDeps = { readonly clock: Clock; readonly newId: IdGenerator }

export const foldEmail = (email: string): string => foldText(email.trim())

/**
 * Rejects a display name that looks like an ID or contains an email address other than the user's own, because it could
 * be mistaken for another user. Doesn't reveal whether that address has an account.
 */
export function assertDisplayName(name: string, email: string): void {
  const isForeign = isId(name.trim()) || (hasEmail(name) && foldEmail(name) !== foldEmail(email))
  if (!isForeign) return
  const message = 'A name can’t be an ID or contain an email address other than your own.'
  throw new Problem('values-invalid', message, { errors: [{ path: 'name', code: 'foreign-name', message }] })
}

export type ChosenPassword = PasswordOwner & { readonly password: string }

export function assertStrongPassword({ password, ...owner }: ChosenPassword, path = 'password'): void {
  const outcome = checkPassword(password, owner)
  if (outcome === 'good') return
  const message = PASSWORD_MESSAGES[outcome]
  throw new Problem('password-weak', message, { errors: [{ path, code: outcome, message }] })
}

/** Does all slow work for creating a user before a transaction starts. */
export async function prepareUser(deps: UserDeps, user: NewUser): Promise<NewUserRow> {
  const { email, name, password, roles } = user
  assertDisplayName(name, email)
  assertStrongPassword({ email, name, password })
  return {
    id: deps.newId(),
    email: email.trim(),
    emailFold: foldEmail(email),
    name: name.trim(),
    roles,
    passwordHash: await hashPassword(password),
    createdAt: deps.clock().toISOString(),
  }
}

export async function storeUser({ db }: Transaction, prepared: NewUserRow): Promise<UserId> {
  const isStored = await insertUser(db, prepared)
  if (!isStored) throw new Problem('name-taken', 'A user with this email address already exists.')
  return prepared.id
}
