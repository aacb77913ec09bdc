import * as api from '#api/users.ts'
import { OWNER } from '#domain/access/role.ts'
import type { Clock } from '#domain/shared/clock.ts'
import type { Database } from '#server/database/database.ts'
import { canByHand } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { canAssignRole, type AccessStateDeps, currentAccessState } from '#server/roles/may-give-role.ts'
import type { KeyRing } from '#server/keys/key-ring.ts'
import { requireReauthentication } from '#server/sessions/require-proof.ts'
import { foldEmail } from '#server/users/create-user.ts'
import { openCodes, withoutCodes } from './sealed-codes.ts'
import type { Mailer } from './mailer.ts'
import { EXPIRE_AFTER_MS } from './send-due.ts'
import { listMails, rolesByAddress, type StoredMail } from './store.ts'

/** What the door of the outbox needs. */
export type OutboxDeps = AccessStateDeps & {
  readonly database: Database
  readonly clock: Clock
  readonly keys: KeyRing
  readonly mailer: Mailer
}

const MAX_SHOWN = 200

/**
 * The door of the outbox. Without a mail server it shows links that open accounts, so it is as sensitive as changing
 * a password; and the link into an account is for those alone who may give all its roles.
 */
export const outboxRoutes = (needs: OutboxDeps): readonly Route[] => [
  route(api.listOutbox, canByHand('workspace:manage'), async ({ actor }) => {
    await requireReauthentication(needs, actor)
    const mails = await listMails(needs.database.read, MAX_SHOWN)
    const standing = await currentAccessState(needs)
    const rolesOf = await rolesByAddress(needs.database.read, [...new Set(mails.map(({ to }) => foldEmail(to)))])
    const mayOpen = ({ to }: StoredMail): boolean =>
      (rolesOf.get(foldEmail(to)) ?? [OWNER]).every((role) => canAssignRole(actor, standing, role))
    const givenUpBefore = new Date(needs.clock().getTime() - EXPIRE_AFTER_MS).toISOString()
    const items = mails.map((mail) => ({
      ...mail,
      text: mayOpen(mail) ? openCodes(needs.keys, mail.id, mail.text) : withoutCodes(mail.text),
      state: mail.state !== 'sent' && mail.at < givenUpBefore ? ('given-up' as const) : mail.state,
    }))
    return { items, hasServer: needs.mailer.hasServer }
  }),
]
