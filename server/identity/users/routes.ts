import { emailPlace } from '#server/identity/branding/workspace-branding.ts'
import * as accountApi from '#api/account.ts'
import * as api from '#api/users.ts'
import { publishNameChange } from '#server/platform/events/cluster-notifications.ts'
import { canByHand, open, signedInByHand, actingUser } from '#server/platform/http/access.ts'
import { invalidCursor } from '#server/platform/http/invalid-cursor.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import {
  accessStateIn,
  assertAssignable,
  canAssignRole,
  currentAccessState,
} from '#server/access/rights/grantable-roles.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { assertNotFromForeignPage, deviceOf, sendTokens } from '#server/identity/sign-in/routes.ts'
import {
  acceptInvitation,
  type InvitationDeps,
  readInvitation,
} from '#server/identity/invitations/accept-invitation.ts'
import { changePassword, type PasswordDeps } from '#server/identity/passwords/change-password.ts'
import {
  assertAttributesEditable,
  assertKnownRoles,
  changedAttributes,
  changeUser,
  type PeopleDeps,
  roleNames,
  showUser,
} from './change-user.ts'
import { assertDisplayName, foldEmail } from './create-user.ts'
import { type ResetDeps, resetPassword, type ResetRequests } from '#server/identity/passwords/reset-password.ts'
import {
  countUsers,
  findUser,
  insertUser,
  selectUsersAfter,
  type StoredUser,
  updateUser,
  type UserCursor,
  withFactorAmong,
} from './store.ts'
import { type Actor, type Profile, userIdOf } from '#domain/access/actor.ts'
import { addedAccess } from '#domain/access/added-access.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import { endAllSessions } from '#server/identity/sessions/session-deps.ts'
import type { z } from 'zod'
import type { AddedAccessBody, listUsers as endpoint, UserBody } from '#api/users.ts'
import type { AccessRules } from '#domain/access/policy.ts'
import { maySee } from '#server/query/definitions/find-collection.ts'
import { foldText } from '#domain/shared/text.ts'
import type { Database, Transaction } from '#server/platform/database/database.ts'
import { codeExpiry, SINGLE_USE_CODE_BYTES } from '#domain/sessions/tokens.ts'
import { hashSecret, randomToken } from '#server/platform/crypto/hashed-secret.ts'
import { invitationEmail, languageOfUser } from '#server/platform/mail/email-templates.ts'
import { replaceCode } from '#server/identity/invitations/single-use-codes-store.ts'

/** Omits collections that the actor can't see. */
async function readAddedAccess(
  deps: PeopleDeps,
  actor: Actor,
  { role, to }: { readonly role: RoleId; readonly to: string },
): Promise<AddedAccessBody> {
  const standing = await currentAccessState(deps)
  const roles = [role, ...to.split(',')]
  assertKnownRoles(standing.rules, roles)
  assertAssignable(actor, standing, roles)
  const collections = standing.definitions.list
  const all = addedAccess({ rules: standing.rules, collections }, to.split(','), role)
  const seen = new Set(collections.filter((each) => maySee(actor, each)).map(({ id }) => id))
  const items = all.filter(({ collection }) => collection === null || seen.has(collection))
  return { items, addsToHidden: items.length < all.length }
}

type InvitedUser = {
  readonly email: string
  readonly name: string
  readonly roles: readonly RoleId[]
  readonly profile?: Profile | undefined
}

/** Invites a user. The account exists immediately, but can be accessed only with the emailed link. */
async function inviteUser(deps: PeopleDeps, by: AuditActor, guest: InvitedUser): Promise<UserBody> {
  const now = deps.clock().toISOString()
  const email = guest.email.trim()
  assertDisplayName(guest.name, email)
  const roles = [...new Set(guest.roles)].toSorted()
  const user = { id: deps.newId(), email, name: guest.name, roles, createdAt: now }
  return deps.database.write(async (transaction) => {
    const standing = await accessStateIn(deps, transaction)
    const { rules } = standing
    assertKnownRoles(rules, roles)
    assertAssignable(by.actor, standing, roles)
    const profile = changedAttributes(rules.profileFields, {}, guest.profile ?? {})
    assertAttributesEditable(by.actor, standing, Object.keys(profile))
    const isStored = await insertUser(transaction.db, {
      ...user,
      profile,
      emailFold: foldEmail(email),
      passwordHash: '',
      invitedAt: now,
    })
    if (!isStored) {
      throw new Problem('name-taken', 'A user or an invitation with this email address already exists.')
    }
    await queueInvitation(deps, by, transaction, { user, rules })
    const invited = { ...user, profile, passwordHash: '', isDisabled: false, isInvited: true, lastSeenAt: null }
    return showUser(invited, rules, false)
  })
}

/** Sends a new invitation; links in older emails stop working. */
async function resendInvitation(deps: PeopleDeps, by: AuditActor, id: UserId): Promise<void> {
  await deps.database.write(async (transaction) => {
    const user = await findUser(transaction.db, id)
    if (user === undefined || !user.isInvited || user.isDisabled) {
      throw new Problem('not-found', 'There is no pending invitation with this ID.')
    }
    const standing = await accessStateIn(deps, transaction)
    assertAssignable(by.actor, standing, user.roles)
    await queueInvitation(deps, by, transaction, { user, rules: standing.rules })
  })
}

async function queueInvitation(
  deps: PeopleDeps,
  by: AuditActor,
  transaction: Transaction,
  { user, rules }: { readonly user: Pick<StoredUser, 'id' | 'email' | 'name' | 'roles'>; readonly rules: AccessRules },
): Promise<void> {
  const now = deps.clock()
  const code = randomToken(SINGLE_USE_CODE_BYTES)
  await replaceCode(transaction.db, {
    hash: hashSecret(code),
    purpose: 'invitation',
    userId: user.id,
    now,
    endsAt: codeExpiry('invitation', now),
  })
  const inviter = by.actor.type === 'user' ? by.actor.name : 'The workspace owner'
  // A new user has no language setting yet, so the inviter's language is used.
  const byId = userIdOf(by.actor)
  const language = byId === null ? 'en' : await languageOfUser(transaction.db, byId)
  const guest = { to: user.email, name: user.name, language, inviter, code }
  const place = await emailPlace(transaction.db, deps)
  await deps.mailer.post(transaction, invitationEmail(place, guest))
  await writeAudit(transaction.db, deps, {
    kind: 'invited',
    userId: byId,
    aboutId: user.id,
    address: by.address,
    details: { role: user.roles.join(' '), roles: roleNames(rules, user.roles) },
  })
}

type UserListQuery = z.output<typeof endpoint.query>

type UserPage = {
  readonly items: UserBody[]
  readonly total: number
  readonly allUsers: number
  readonly nextCursor: string | null
}

async function listUsers(
  database: Database,
  rules: AccessRules,
  { search, role, standing, cursor, perPage }: UserListQuery,
): Promise<UserPage> {
  const sought = { words: wordsOf(search), role, standing }
  const after = cursor === undefined ? undefined : parseCursor(cursor)
  const [behind, total, allUsers] = await Promise.all([
    // Fetches one extra row to detect whether there are more.
    selectUsersAfter(database, sought, { after, limit: perPage + 1 }),
    countUsers(database, sought),
    countUsers(database, { words: [] }),
  ])
  const shown = behind.slice(0, perPage)
  const last = behind.length > perPage ? shown.at(-1) : undefined
  const ids = shown.map(({ id }) => id)
  const withFactor = await withFactorAmong(database.read, ids)
  return {
    items: shown.map((user) => showUser(user, rules, withFactor.has(user.id))),
    total,
    allUsers,
    nextCursor: last === undefined ? null : cursorOf(last),
  }
}

const wordsOf = (search = ''): readonly string[] =>
  foldText(search.toWellFormed().replaceAll('\0', ''))
    .split(/\s+/)
    .filter((word) => word !== '')

const cursorOf = ({ nameFold, id }: UserCursor): string => `${Buffer.from(nameFold).toString('base64url')}.${id}`

const CURSOR = /^([\w-]*)\.([0-9a-z]{1,60})$/

function parseCursor(cursor: string): UserCursor {
  const [, hidden, id = ''] = CURSOR.exec(cursor) ?? []
  const nameFold = hidden === undefined ? undefined : Buffer.from(hidden, 'base64url').toString('utf8')
  if (nameFold !== undefined && !nameFold.includes('\0')) return { nameFold, id }
  throw invalidCursor('cursor')
}

async function signOutUser(deps: PeopleDeps, { actor, address }: AuditActor, id: UserId): Promise<number> {
  if (userIdOf(actor) === id) throw new Problem('forbidden', 'Manage your own sessions in your account settings.')
  return deps.database.write(async (transaction) => {
    const user = await findUser(transaction.db, id)
    if (user === undefined) throw new Problem('not-found', 'User not found.')
    assertAssignable(actor, await accessStateIn(deps, transaction), user.roles)
    const ended = await endAllSessions(transaction, id, 'ended-by-manager', deps.clock())
    const entry = { kind: 'sessions-ended', userId: userIdOf(actor), aboutId: id, address } as const
    if (ended > 0) await writeAudit(transaction.db, deps, { ...entry, details: { ended: String(ended) } })
    return ended
  })
}

export type UserRouteDeps = InvitationDeps &
  PasswordDeps &
  ResetDeps & { readonly cookie: RefreshCookie; readonly resetDesk: ResetRequests }

const managingRoutes = (deps: UserRouteDeps): readonly Route[] => [
  route(api.listUsers, canByHand('users:manage'), async ({ actor, query }) => {
    const standing = await currentAccessState(deps)
    const { rules } = standing
    const roles = [...rules.roles.values()].map(({ id, name, about }) => ({
      id,
      name,
      about,
      mayGive: canAssignRole(actor, standing, id),
    }))
    return { ...(await listUsers(deps.database, rules, query)), roles, profileFields: [...rules.profileFields] }
  }),
  route(api.readAddedAccess, canByHand('users:manage'), async ({ actor, query }) =>
    readAddedAccess(deps, actor, query),
  ),
  route(api.inviteUser, canByHand('users:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(deps, actor)
    return inviteUser(deps, { actor, address: request.ip }, body)
  }),
  route(api.resendInvitation, canByHand('users:manage'), async ({ actor, params, request }) =>
    resendInvitation(deps, { actor, address: request.ip }, params.user),
  ),
  route(api.changeUser, canByHand('users:manage'), async ({ actor, params, body, request }) => {
    await requireReauthentication(deps, actor)
    return changeUser(deps, { actor, address: request.ip }, params.user, body)
  }),
  route(api.endSessionsOf, canByHand('users:manage'), async ({ actor, params, request }) => {
    await requireReauthentication(deps, actor)
    return { ended: await signOutUser(deps, { actor, address: request.ip }, params.user) }
  }),
]

const invitationRoutes = (deps: UserRouteDeps): readonly Route[] => [
  route(api.readInvitation, open('the code from the email identifies the user'), async ({ body, request }) => {
    const { email, name } = await readInvitation(deps, body.code, request.ip)
    return { email, name }
  }),
  route(api.acceptInvitation, open('the code from the email identifies the user'), async ({ body, request, reply }) => {
    assertNotFromForeignPage(request, deps.publicUrl)
    const { remember: isRemembered, ...accepted } = body
    const device = deviceOf(request)
    const tokens = await acceptInvitation(deps, { ...accepted, kind: 'browser', device, isRemembered })
    return sendTokens(deps, reply, tokens)
  }),
]

const passwordRoutes = (deps: UserRouteDeps): readonly Route[] => [
  route(api.requestReset, open('users who forgot their password can’t sign in'), async ({ body, request }) => {
    assertNotFromForeignPage(request, deps.publicUrl)
    await deps.resetDesk.ask(body.email, request.ip)
  }),
  route(api.resetPassword, open('the code from the email identifies the user'), async ({ body, request }) => {
    assertNotFromForeignPage(request, deps.publicUrl)
    await resetPassword(deps, { ...body, address: request.ip })
  }),
  route(accountApi.changePassword, signedInByHand, async ({ actor, body, request }) =>
    changePassword(deps, { actor, address: request.ip }, body),
  ),
  route(accountApi.changeProfile, signedInByHand, async ({ actor, body }) => {
    const { userId } = actingUser(actor)
    await deps.database.write(async (transaction) => {
      const user = await findUser(transaction.db, userId)
      if (body.name !== undefined && user) assertDisplayName(body.name, user.email)
      await updateUser(transaction.db, userId, body)
      if (body.name !== undefined) publishNameChange(transaction, deps.feed)
    })
  }),
]

export const userRoutes = (deps: UserRouteDeps): readonly Route[] => [
  ...managingRoutes(deps),
  ...invitationRoutes(deps),
  ...passwordRoutes(deps),
]
