import type { Insertable } from 'kysely'
import type { Reader, Tables } from '#server/database/database.ts'

/** Appends an entry to the audit log. Nothing ever changes or removes one. */
export async function insertAuditEntry(db: Reader, row: Insertable<Tables['audit_log']>): Promise<void> {
  await db.insertInto('audit_log').values(row).execute()
}
