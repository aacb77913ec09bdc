import { sql } from 'kysely'
import type { UserId } from '#domain/shared/ids.ts'
import type { Database, Reader } from '#server/platform/database/database.ts'

export type PersonRow = { readonly id: UserId; readonly name: string }

export async function selectNames(db: Reader, ids: readonly UserId[], isEnabled: boolean): Promise<PersonRow[]> {
  const named = db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
  return (isEnabled ? named.where('disabled_at', 'is', null) : named).execute()
}

export const selectKnownPeople = (db: Reader) =>
  db.selectFrom('users').select(['id', 'name', 'email_fold', 'disabled_at']).execute()

export async function selectPeople(
  database: Requested,
  { folded, offset, limit }: { readonly folded: string; readonly offset: number; readonly limit: number },
): Promise<(PersonRow & { readonly email: string })[]> {
  return choosable(database, folded)
    .select(['id', 'name', 'email'])
    .orderBy('name_fold')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countPeople(database: Requested, folded: string): Promise<number> {
  const { count } = await choosable(database, folded)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Requested = Pick<Database, 'read' | 'dialect'>

function choosable({ read, dialect }: Requested, folded: string) {
  const place =
    dialect === 'postgres' ? sql<number>`strpos(name_fold, ${folded})` : sql<number>`instr(name_fold, ${folded})`
  return read.selectFrom('users').where('disabled_at', 'is', null).where(place, '>', 0)
}
