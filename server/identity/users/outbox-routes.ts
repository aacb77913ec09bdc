import * as api from '#api/users.ts'
import { OWNER } from '#domain/access/policy.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { Database } from '#server/platform/database/database.ts'
import { canByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { canAssignRole, type AccessStateDeps, currentAccessState } from '#server/access/rights/grantable-roles.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { foldEmail } from '#server/identity/users/create-user.ts'
import {
  listMails,
  openCodes,
  rolesByAddress,
  type StoredMail,
  withoutCodes,
} from '#server/platform/mail/outbox-store.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { EXPIRE_AFTER_MS } from '#server/platform/mail/send-due-emails.ts'

export type OutboxDeps = AccessStateDeps & {
  readonly database: Database
  readonly clock: Clock
  readonly keys: KeyRing
  readonly mailer: Mailer
}

const MAX_SHOWN = 200

/**
 * Outbox route. Without a mail server, the outbox shows links that grant access to accounts, so it requires
 * re-authentication. A link is shown only to users who can assign all of that account's roles.
 */
export const outboxRoutes = (deps: OutboxDeps): readonly Route[] => [
  route(api.listOutbox, canByHand('workspace:manage'), async ({ actor }) => {
    await requireReauthentication(deps, actor)
    const mails = await listMails(deps.database.read, MAX_SHOWN)
    const standing = await currentAccessState(deps)
    const rolesOf = await rolesByAddress(deps.database.read, [...new Set(mails.map(({ to }) => foldEmail(to)))])
    const mayOpen = ({ to }: StoredMail): boolean =>
      (rolesOf.get(foldEmail(to)) ?? [OWNER]).every((role) => canAssignRole(actor, standing, role))
    const givenUpBefore = new Date(deps.clock().getTime() - EXPIRE_AFTER_MS).toISOString()
    const items = mails.map((mail) => ({
      ...mail,
      text: mayOpen(mail) ? openCodes(deps.keys, mail.id, mail.text) : withoutCodes(mail.text),
      state: mail.state !== 'sent' && mail.at < givenUpBefore ? ('given-up' as const) : mail.state,
    }))
    return { items, hasServer: deps.mailer.hasServer }
  }),
]
