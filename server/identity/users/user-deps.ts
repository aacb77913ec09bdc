import type { Actor } from '#domain/access/actor.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import type { RolesDeps } from '#server/access/rights/roles-deps.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'

/** What the stories about users need. */
export type PeopleDeps = SessionDeps &
  Pick<RolesDeps, 'rules' | 'definitions'> & { readonly mailer: Mailer; readonly publicUrl: URL }

/** Who does something to accounts, and from where, for the audit log. */
export type AuditActor = { readonly actor: Actor; readonly address: string }
