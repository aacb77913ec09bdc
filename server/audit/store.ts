import type { Insertable } from 'kysely'
import { z } from 'zod'
import type { Reader, Tables } from '#server/database/database.ts'

/** Appends an entry to the audit log. Nothing ever changes or removes one. */
export async function insertAuditEntry(db: Reader, row: Insertable<Tables['audit_log']>): Promise<void> {
  await db.insertInto('audit_log').values(row).execute()
}

/** A user as the audit log names them: their name now, empty once they are gone. */
export type NamedUser = { readonly id: string; readonly name: string }

/** An entry as it is shown. */
export type ShownEntry = {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly user: NamedUser | null
  readonly about: NamedUser | null
  readonly address: string
  readonly details: { readonly [name: string]: string }
}

const detailsSchema = z.record(z.string(), z.string())

const named = (id: string | null, name: string | null): NamedUser | null =>
  id === null ? null : { id, name: name ?? '' }

/** The newest entries, or those before one of them. */
export async function listAuditEntries(
  db: Reader,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<ShownEntry[]> {
  let entries = db
    .selectFrom('audit_log')
    .leftJoin('users as doer', 'doer.id', 'audit_log.user_id')
    .leftJoin('users as subject', 'subject.id', 'audit_log.about_id')
    .select(['audit_log.id', 'at', 'kind', 'user_id', 'about_id', 'address', 'details'])
    .select(['doer.name as doer_name', 'subject.name as subject_name'])
    .orderBy('audit_log.id', 'desc')
    .limit(limit)
  if (before !== undefined) entries = entries.where('audit_log.id', '<', before)
  const rows = await entries.execute()
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    kind: row.kind,
    user: named(row.user_id, row.doer_name),
    about: named(row.about_id, row.subject_name),
    address: row.address,
    details: detailsSchema.parse(JSON.parse(row.details)),
  }))
}
