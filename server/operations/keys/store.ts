import type { EndReason } from '#domain/sessions/session.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'

const NAME = 'key-ids'

/** Earlier versions on PostgreSQL stored only the first key's ID, under this name. */
const LEGACY_NAME = 'first-key'

const sealedKeyId = (sealed: string): string => sealed.split('.')[1] ?? ''

/** The IDs of the keys used with this database; if none are recorded, the keys that encrypted its secrets. */
export async function findRecordedKeyIds(db: Reader): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('workspace')
    .select(['name', 'value'])
    .where('name', 'in', [NAME, LEGACY_NAME])
    .execute()
  const noted = rows.find(({ name }) => name === NAME)
  if (noted !== undefined) return JSON.parse(noted.value)
  const sealed = await db.selectFrom('totp_secrets').select('secret').execute()
  return [...new Set([...rows.map(({ value }) => value), ...sealed.map(({ secret }) => sealedKeyId(secret))])]
}

/** Whether the database contains anything created with keys. */
export async function isUsedWithKeys(db: Reader): Promise<boolean> {
  const session = await db.selectFrom('sessions').select('id').limit(1).executeTakeFirst()
  return session !== undefined
}

export async function saveRecordedKeyIds({ db }: Transaction, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('workspace').where('name', '=', LEGACY_NAME).execute()
  await storeWorkspaceValue(db, NAME, JSON.stringify(ids))
}

/** Emails of users whose authenticator secret was encrypted with other keys. */
export async function usersSealedWithOthers(db: Reader, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('totp_secrets')
    .innerJoin('users', 'users.id', 'totp_secrets.user_id')
    .select(['email', 'secret'])
    .orderBy('email')
    .execute()
  return rows.filter(({ secret }) => !ids.includes(sealedKeyId(secret))).map(({ email }) => email)
}

export async function endAllOpenSessions({ db }: Transaction, reason: EndReason, now: Date): Promise<number> {
  const ending = db.updateTable('sessions').set({ ended_at: now.toISOString(), end_reason: reason })
  const { numUpdatedRows } = await ending.where('ended_at', 'is', null).executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function isRotationLogged(db: Reader, keyId: string): Promise<boolean> {
  const rows = await db.selectFrom('audit_log').select('details').where('kind', '=', 'keys-rotated').execute()
  return rows.some(({ details }) => JSON.parse(details).key === keyId)
}
