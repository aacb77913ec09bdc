import * as accountApi from '#api/account.ts'
import * as api from '#api/users.ts'
import { announceNames } from '#server/changes/neighbours.ts'
import { canByHand, open, signedInByHand } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { mayGive, standingNow } from '#server/roles/may-give-role.ts'
import type { RefreshCookie } from '#server/sessions/refresh-cookie.ts'
import { requireRecentProof } from '#server/sessions/require-proof.ts'
import { deviceOf, refuseForeignPages, sendTokens } from '#server/sessions/routes.ts'
import { userOf } from '#server/sessions/user-of.ts'
import { acceptInvitation, type InvitationNeeds, readInvitation } from './accept-invitation.ts'
import { changePassword, type PasswordNeeds } from './change-password.ts'
import { changeUser } from './change-user.ts'
import { refuseForeignName } from './create-user.ts'
import { endSessionsOf } from './end-sessions-of.ts'
import { inviteAgain, inviteUser } from './invite-user.ts'
import { listUsers } from './list-users.ts'
import type { ResetDesk } from './reset-desk.ts'
import { type ResetNeeds, resetPassword } from './reset-password.ts'
import { findUser, updateUser } from './store.ts'

/** What the doors of the users need. */
export type UserRouteNeeds = InvitationNeeds &
  PasswordNeeds &
  ResetNeeds & { readonly cookie: RefreshCookie; readonly resetDesk: ResetDesk }

const managingRoutes = (needs: UserRouteNeeds): readonly Route[] => [
  route(api.listUsers, canByHand('users:manage'), async ({ actor, query }) => {
    const standing = await standingNow(needs)
    const { rules } = standing
    const roles = [...rules.roles.values()].map(({ id, name, about }) => ({
      id,
      name,
      about,
      mayGive: mayGive(actor, standing, id),
    }))
    return { ...(await listUsers(needs.database, rules, query)), roles, profileFields: [...rules.profileFields] }
  }),
  route(api.inviteUser, canByHand('users:manage'), async ({ actor, body, request }) => {
    await requireRecentProof(needs, actor)
    return inviteUser(needs, { actor, address: request.ip }, body)
  }),
  route(api.inviteAgain, canByHand('users:manage'), async ({ actor, params, request }) =>
    inviteAgain(needs, { actor, address: request.ip }, params.user),
  ),
  route(api.changeUser, canByHand('users:manage'), async ({ actor, params, body, request }) => {
    await requireRecentProof(needs, actor)
    return changeUser(needs, { actor, address: request.ip }, params.user, body)
  }),
  route(api.endSessionsOf, canByHand('users:manage'), async ({ actor, params, request }) => {
    await requireRecentProof(needs, actor)
    return { ended: await endSessionsOf(needs, { actor, address: request.ip }, params.user) }
  }),
]

const invitationRoutes = (needs: UserRouteNeeds): readonly Route[] => [
  route(api.readInvitation, open('the code in the letter says who'), async ({ body, request }) => {
    const { email, name } = await readInvitation(needs, body.code, request.ip)
    return { email, name }
  }),
  route(api.acceptInvitation, open('the code in the letter says who'), async ({ body, request, reply }) => {
    refuseForeignPages(request, needs.publicUrl)
    const { remember: isRemembered, ...accepted } = body
    const device = deviceOf(request)
    const tokens = await acceptInvitation(needs, { ...accepted, kind: 'browser', device, isRemembered })
    return sendTokens(needs, reply, tokens)
  }),
]

const passwordRoutes = (needs: UserRouteNeeds): readonly Route[] => [
  route(api.requestReset, open('whoever forgot their password cannot sign in'), async ({ body, request }) => {
    refuseForeignPages(request, needs.publicUrl)
    await needs.resetDesk.ask(body.email, request.ip)
  }),
  route(api.resetPassword, open('the code in the letter says who'), async ({ body, request }) => {
    refuseForeignPages(request, needs.publicUrl)
    await resetPassword(needs, { ...body, address: request.ip })
  }),
  route(accountApi.changePassword, signedInByHand, async ({ actor, body, request }) =>
    changePassword(needs, { actor, address: request.ip }, body),
  ),
  route(accountApi.changeProfile, signedInByHand, async ({ actor, body }) => {
    const { userId } = userOf(actor)
    await needs.database.write(async (transaction) => {
      const user = await findUser(transaction.db, userId)
      if (body.name !== undefined && user) refuseForeignName(body.name, user.email)
      await updateUser(transaction.db, userId, body)
      if (body.name !== undefined) announceNames(transaction, needs.feed)
    })
  }),
]

/** The doors of the users: managing them, coming by letter, and one's own name and password. */
export const userRoutes = (needs: UserRouteNeeds): readonly Route[] => [
  ...managingRoutes(needs),
  ...invitationRoutes(needs),
  ...passwordRoutes(needs),
]
