import { sql } from 'kysely'
import type { UserId } from '#domain/shared/ids.ts'
import type { Database, Reader } from '#server/database/database.ts'

/** Who somebody is to those who only read their name. */
export type PersonRow = { readonly id: UserId; readonly name: string }

/** The names of these users; only of those who are not disabled, if asked so. */
export async function selectNames(db: Reader, ids: readonly UserId[], isEnabled: boolean): Promise<PersonRow[]> {
  const named = db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
  return (isEnabled ? named.where('disabled_at', 'is', null) : named).execute()
}

/** The names of all users, also of those who are disabled. */
export const selectAllNames = (db: Reader): Promise<PersonRow[]> =>
  db.selectFrom('users').select(['id', 'name']).execute()

/** All users who are not disabled, in the forms in which they are found. */
export const selectFoundForms = (db: Reader) =>
  db.selectFrom('users').select(['id', 'name_fold', 'email_fold']).where('disabled_at', 'is', null).execute()

/** A stretch of the users who are not disabled and whose names contain a folded text, in the order of their names. */
export async function selectPeople(
  { read, dialect }: Pick<Database, 'read' | 'dialect'>,
  { folded, offset, limit }: { readonly folded: string; readonly offset: number; readonly limit: number },
): Promise<PersonRow[]> {
  const place =
    dialect === 'postgres' ? sql<number>`strpos(name_fold, ${folded})` : sql<number>`instr(name_fold, ${folded})`
  return read
    .selectFrom('users')
    .select(['id', 'name'])
    .where('disabled_at', 'is', null)
    .where(place, '>', 0)
    .orderBy('name_fold')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
}
