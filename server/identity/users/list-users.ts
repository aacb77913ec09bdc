import type { z } from 'zod'
import type { listUsers as endpoint, UserBody } from '#api/users.ts'
import type { AccessRules } from '#domain/access/policy.ts'
import { foldText } from '#domain/shared/fold-text.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Database } from '#server/platform/database/database.ts'
import { countUsers, selectUsersAfter, type UserCursor } from './user-list-store.ts'
import { showUser } from './show-user.ts'
import { withFactorAmong } from './store.ts'

type UserListQuery = z.output<typeof endpoint.query>

type UserPage = {
  readonly items: UserBody[]
  readonly total: number
  readonly everybody: number
  readonly nextCursor: string | null
}

/** Story: a page of those who have an account or an invitation. */
export async function listUsers(
  database: Database,
  rules: AccessRules,
  { search, role, standing, cursor, perPage }: UserListQuery,
): Promise<UserPage> {
  const sought = { words: wordsOf(search), role, standing }
  const after = cursor === undefined ? undefined : parseCursor(cursor)
  const [behind, total, everybody] = await Promise.all([
    // One more than is shown tells that there are more.
    selectUsersAfter(database, sought, { after, limit: perPage + 1 }),
    countUsers(database, sought),
    countUsers(database, { words: [] }),
  ])
  const shown = behind.slice(0, perPage)
  const last = behind.length > perPage ? shown.at(-1) : undefined
  const ids = shown.map(({ id }) => id)
  const withFactor = await withFactorAmong(database.read, ids)
  return {
    items: shown.map((user) => showUser(user, rules, withFactor.has(user.id))),
    total,
    everybody,
    nextCursor: last === undefined ? null : cursorOf(last),
  }
}

const wordsOf = (search = ''): readonly string[] =>
  foldText(search.toWellFormed().replaceAll('\0', ''))
    .split(/\s+/)
    .filter((word) => word !== '')

const cursorOf = ({ nameFold, id }: UserCursor): string => `${Buffer.from(nameFold).toString('base64url')}.${id}`

const CURSOR = /^([\w-]*)\.([0-9a-z]{1,60})$/

function parseCursor(cursor: string): UserCursor {
  const [, hidden, id = ''] = CURSOR.exec(cursor) ?? []
  const nameFold = hidden === undefined ? undefined : Buffer.from(hidden, 'base64url').toString('utf8')
  if (nameFold !== undefined && !nameFold.includes('\0')) return { nameFold, id }
  throw new Problem('invalid-cursor', 'Invalid cursor. Start again without it.', {
    errors: [{ path: 'cursor', code: 'invalid-cursor', message: 'Invalid cursor.' }],
  })
}
