import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { UserStatus } from '#domain/access/user.ts'
import type { RoleId } from '#domain/shared/ids.ts'
import type { Database, Tables } from '#server/platform/database/database.ts'
import { authenticators, passkeys, selectUsers, type StoredUser, userOfRow } from './store.ts'

export type UserSearch = {
  /** Folded; each must occur in the name or the address. */
  readonly words: readonly string[]
  readonly role?: RoleId | undefined
  readonly standing?: UserStatus | undefined
}

export type UserCursor = { readonly nameFold: string; readonly id: string }

type Asked = Pick<Database, 'read' | 'dialect'>
type UserExpression = ExpressionBuilder<Tables, 'users'>

export async function selectUsersAfter(
  { read, dialect }: Asked,
  search: UserSearch,
  { after, limit }: { readonly after: UserCursor | undefined; readonly limit: number },
): Promise<readonly (StoredUser & UserCursor)[]> {
  const found = selectUsers(read)
    .select('name_fold')
    .where((is) => matchesSearch(is, { read, dialect }, search))
    .orderBy('name_fold')
    .orderBy('users.id')
    .limit(limit)
  const rows = await (after === undefined
    ? found
    : found.where(sql<boolean>`(name_fold, users.id) > (${after.nameFold}, ${after.id})`)
  ).execute()
  return rows.map((row) => ({ ...userOfRow(row), nameFold: row.name_fold }))
}

export async function countUsers(asked: Asked, search: UserSearch): Promise<number> {
  const { count } = await asked.read
    .selectFrom('users')
    .select(({ fn }) => fn.countAll().as('count'))
    .where((is) => matchesSearch(is, asked, search))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function matchesSearch(is: UserExpression, { read, dialect }: Asked, { words, role, standing }: UserSearch) {
  const placeOf = (word: string) =>
    dialect === 'postgres'
      ? sql<number>`strpos(name_fold || ' ' || email_fold, ${word})`
      : sql<number>`instr(name_fold || ' ' || email_fold, ${word})`
  return is.and([
    ...words.map((word) => is(placeOf(word), '>', 0)),
    ...(role === undefined ? [] : [is('users.id', 'in', holdersOf(read, role))]),
    ...(standing === undefined ? [] : [hasStatus(is, read, standing)]),
  ])
}

const holdersOf = (read: Kysely<Tables>, role: RoleId) =>
  read.selectFrom('user_roles').select('user_id').where('role_id', '=', role)

function hasStatus(is: UserExpression, read: Kysely<Tables>, standing: UserStatus) {
  const isHere = is.and([is('disabled_at', 'is', null), is('invited_at', 'is', null)])
  switch (standing) {
    case 'here':
      return isHere
    case 'invited':
      return is.and([is('disabled_at', 'is', null), is('invited_at', 'is not', null)])
    case 'locked-out':
      return is('disabled_at', 'is not', null)
    case 'no-factor':
      return is.and([isHere, is('users.id', 'not in', authenticators(read)), is('users.id', 'not in', passkeys(read))])
  }
}
