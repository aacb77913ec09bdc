import type { Actor } from '#domain/access/actor.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { RolesDeps } from '#server/roles/roles-needs.ts'
import type { SessionDeps } from '#server/sessions/session-needs.ts'

/** What the stories about users need. */
export type PeopleDeps = SessionDeps &
  Pick<RolesDeps, 'rules' | 'definitions'> & { readonly mailer: Mailer; readonly publicUrl: URL }

/** Who does something to accounts, and from where, for the audit log. */
export type AuditActor = { readonly actor: Actor; readonly address: string }
