import * as api from '#api/users.ts'
import type { Clock } from '#domain/shared/clock.ts'
import type { Database } from '#server/database/database.ts'
import { canByHand } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { requireRecentProof } from '#server/sessions/require-proof.ts'
import type { Mailer } from './mailer.ts'
import { GIVEN_UP_AFTER_MS } from './send-due.ts'
import { listMails } from './store.ts'

/** What the door of the outbox needs. */
export type OutboxNeeds = { readonly database: Database; readonly clock: Clock; readonly mailer: Mailer }

const MOST_SHOWN = 200

/**
 * The door of the outbox. Without a mail server it shows links that open accounts, so it is as sensitive as changing
 * a password.
 */
export const outboxRoutes = (needs: OutboxNeeds): readonly Route[] => [
  route(api.listOutbox, canByHand('workspace:manage'), async ({ actor }) => {
    await requireRecentProof(needs, actor)
    const mails = await listMails(needs.database.read, MOST_SHOWN)
    const givenUpBefore = new Date(needs.clock().getTime() - GIVEN_UP_AFTER_MS).toISOString()
    const items = mails.map((mail) => ({
      ...mail,
      state: mail.state !== 'sent' && mail.at < givenUpBefore ? ('given-up' as const) : mail.state,
    }))
    return { items, hasServer: needs.mailer.hasServer }
  }),
]
