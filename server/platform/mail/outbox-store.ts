import type { Kysely } from 'kysely'
import type { RoleId } from '#domain/shared/ids.ts'
import { type KeyRing, seal, type SealedFor, unseal } from '#server/platform/crypto/key-ring.ts'
import type { Tables } from '#server/platform/database/database.ts'
import { readUserRoles, userRoleColumns } from '#server/platform/database/tables/user-role-columns.ts'

export type MailState = 'waiting' | 'sent' | 'failed'

export type StoredMail = {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly at: string
  readonly state: MailState
  readonly failure: string | null
}

const stateOf = (text: string): MailState => (text === 'sent' || text === 'failed' ? text : 'waiting')

const selectMails = (db: Kysely<Tables>) =>
  db.selectFrom('mails').select(['id', 'recipient', 'subject', 'body', 'created_at', 'state', 'failure'])

type MailColumns = Awaited<ReturnType<ReturnType<typeof selectMails>['execute']>>[number]

const mailOf = (row: MailColumns): StoredMail => ({
  id: row.id,
  to: row.recipient,
  subject: row.subject,
  text: row.body,
  at: row.created_at,
  state: stateOf(row.state),
  failure: row.failure,
})

export async function insertMail(
  db: Kysely<Tables>,
  mail: Pick<StoredMail, 'id' | 'to' | 'subject' | 'text' | 'at'>,
): Promise<void> {
  await db
    .insertInto('mails')
    .values({
      id: mail.id,
      recipient: mail.to,
      subject: mail.subject,
      body: mail.text,
      created_at: mail.at,
      state: 'waiting',
      failure: null,
    })
    .execute()
}

export async function listMails(db: Kysely<Tables>, limit: number): Promise<StoredMail[]> {
  const rows = await selectMails(db).orderBy('id', 'desc').limit(limit).execute()
  return rows.map(mailOf)
}

export async function rolesByAddress(
  db: Kysely<Tables>,
  folded: readonly string[],
): Promise<ReadonlyMap<string, readonly RoleId[]>> {
  if (folded.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select('email_fold')
    .select(userRoleColumns())
    .where('email_fold', 'in', [...folded])
    .execute()
  return new Map(rows.map((row) => [row.email_fold, readUserRoles(row).roles]))
}

export async function listUnsentMails(db: Kysely<Tables>, since: Date): Promise<StoredMail[]> {
  const rows = await selectMails(db)
    .where('state', '!=', 'sent')
    .where('created_at', '>=', since.toISOString())
    .orderBy('id')
    .execute()
  return rows.map(mailOf)
}

/**
 * Claims an unsent email until the given time, when the claim expires; returns false if another process is sending it.
 */
export async function claimMail(
  db: Kysely<Tables>,
  id: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const [from, to] = [now.toISOString(), until.toISOString()]
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ taken_until: to })
    .where('id', '=', id)
    .where('state', '!=', 'sent')
    .where((is) => is.or([is('taken_until', 'is', null), is('taken_until', '<=', from), is('taken_until', '>', to)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function markSent(db: Kysely<Tables>, id: string, keptText: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ state: 'sent', failure: null, body: keptText, taken_until: null })
    .where('id', '=', id)
    .execute()
}

export async function markFailed(db: Kysely<Tables>, id: string, failure: string): Promise<void> {
  await db.updateTable('mails').set({ state: 'failed', failure, taken_until: null }).where('id', '=', id).execute()
}

export async function deleteMailsBefore(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('mails').where('created_at', '<', before.toISOString()).execute()
}

const PLAIN = /([?&]code=)([\w-]+)/g
const SEALED = /([?&]code=)~([\w-]+)~([\w-]+)/g
const EITHER = /([?&]code=)[\w~-]+/g

const sealedFor = (mailId: string): SealedFor => ({ purpose: 'mail-code', boundTo: `mail ${mailId}` })

/**
 * Encrypts the codes in an email's links for storage, so that a copy of the database doesn't give access to accounts.
 */
export const sealCodes = ({ current }: KeyRing, mailId: string, text: string): string =>
  text.replaceAll(PLAIN, (_, before: string, code: string) => {
    return `${before}~${current.id}~${seal(current, sealedFor(mailId), code)}`
  })

/** Decrypts the codes in an email; omits a code whose key is lost. */
export const openCodes = (keys: KeyRing, mailId: string, text: string): string =>
  text.replaceAll(SEALED, (_, before: string, keyId: string, sealed: string) => {
    const key = keys.findForCipher(keyId)
    return `${before}${key === undefined ? '…' : unseal(key, sealedFor(mailId), sealed)}`
  })

/** Removes the codes after sending, so that stored emails don't give access to accounts. */
export const withoutCodes = (text: string): string => text.replaceAll(EITHER, '$1…')
