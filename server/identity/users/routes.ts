import * as accountApi from '#api/account.ts'
import * as api from '#api/users.ts'
import { publishNameChange } from '#server/platform/events/cluster-notifications.ts'
import { canByHand, open, signedInByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { canAssignRole, currentAccessState } from '#server/access/rights/grantable-roles.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { deviceOf, assertNotFromForeignPage, sendTokens } from '#server/identity/sign-in/routes.ts'
import { actingUser } from '#server/identity/sign-in/acting-user.ts'
import {
  acceptInvitation,
  type InvitationDeps,
  readInvitation,
} from '#server/identity/invitations/accept-invitation.ts'
import { changePassword, type PasswordDeps } from '#server/identity/passwords/change-password.ts'
import { changeUser } from './change-user.ts'
import { assertDisplayName } from './create-user.ts'
import { signOutUser } from './sign-out-user.ts'
import { resendInvitation, inviteUser } from '#server/identity/invitations/invite-user.ts'
import { listUsers } from './list-users.ts'
import type { ResetRequests } from '#server/identity/passwords/reset-requests.ts'
import { type ResetDeps, resetPassword } from '#server/identity/passwords/reset-password.ts'
import { findUser, updateUser } from './store.ts'

/** What the doors of the users need. */
export type UserRouteDeps = InvitationDeps &
  PasswordDeps &
  ResetDeps & { readonly cookie: RefreshCookie; readonly resetDesk: ResetRequests }

const managingRoutes = (needs: UserRouteDeps): readonly Route[] => [
  route(api.listUsers, canByHand('users:manage'), async ({ actor, query }) => {
    const standing = await currentAccessState(needs)
    const { rules } = standing
    const roles = [...rules.roles.values()].map(({ id, name, about }) => ({
      id,
      name,
      about,
      mayGive: canAssignRole(actor, standing, id),
    }))
    return { ...(await listUsers(needs.database, rules, query)), roles, profileFields: [...rules.profileFields] }
  }),
  route(api.inviteUser, canByHand('users:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(needs, actor)
    return inviteUser(needs, { actor, address: request.ip }, body)
  }),
  route(api.inviteAgain, canByHand('users:manage'), async ({ actor, params, request }) =>
    resendInvitation(needs, { actor, address: request.ip }, params.user),
  ),
  route(api.changeUser, canByHand('users:manage'), async ({ actor, params, body, request }) => {
    await requireReauthentication(needs, actor)
    return changeUser(needs, { actor, address: request.ip }, params.user, body)
  }),
  route(api.endSessionsOf, canByHand('users:manage'), async ({ actor, params, request }) => {
    await requireReauthentication(needs, actor)
    return { ended: await signOutUser(needs, { actor, address: request.ip }, params.user) }
  }),
]

const invitationRoutes = (needs: UserRouteDeps): readonly Route[] => [
  route(api.readInvitation, open('the code from the email identifies the user'), async ({ body, request }) => {
    const { email, name } = await readInvitation(needs, body.code, request.ip)
    return { email, name }
  }),
  route(api.acceptInvitation, open('the code from the email identifies the user'), async ({ body, request, reply }) => {
    assertNotFromForeignPage(request, needs.publicUrl)
    const { remember: isRemembered, ...accepted } = body
    const device = deviceOf(request)
    const tokens = await acceptInvitation(needs, { ...accepted, kind: 'browser', device, isRemembered })
    return sendTokens(needs, reply, tokens)
  }),
]

const passwordRoutes = (needs: UserRouteDeps): readonly Route[] => [
  route(api.requestReset, open('users who forgot their password can’t sign in'), async ({ body, request }) => {
    assertNotFromForeignPage(request, needs.publicUrl)
    await needs.resetDesk.ask(body.email, request.ip)
  }),
  route(api.resetPassword, open('the code from the email identifies the user'), async ({ body, request }) => {
    assertNotFromForeignPage(request, needs.publicUrl)
    await resetPassword(needs, { ...body, address: request.ip })
  }),
  route(accountApi.changePassword, signedInByHand, async ({ actor, body, request }) =>
    changePassword(needs, { actor, address: request.ip }, body),
  ),
  route(accountApi.changeProfile, signedInByHand, async ({ actor, body }) => {
    const { userId } = actingUser(actor)
    await needs.database.write(async (transaction) => {
      const user = await findUser(transaction.db, userId)
      if (body.name !== undefined && user) assertDisplayName(body.name, user.email)
      await updateUser(transaction.db, userId, body)
      if (body.name !== undefined) publishNameChange(transaction, needs.feed)
    })
  }),
]

/** The doors of the users: managing them, coming by letter, and one's own name and password. */
export const userRoutes = (needs: UserRouteDeps): readonly Route[] => [
  ...managingRoutes(needs),
  ...invitationRoutes(needs),
  ...passwordRoutes(needs),
]
