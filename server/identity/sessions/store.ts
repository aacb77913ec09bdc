import type { Kysely } from 'kysely'
import { sessionEnds } from '#domain/sessions/session-policy.ts'
import { type EndReason, isAlive, type Session, type SessionKind, type SignInMethod } from '#domain/sessions/session.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import { type Language, toLanguage } from '#domain/shared/language.ts'
import type { Reader, Tables } from '#server/platform/database/database.ts'
import { preparedQuery } from '#server/platform/database/rows/row-statements.ts'
import { readUserRoles, userRoleColumns, type UserRoles } from '#server/platform/database/tables/user-role-columns.ts'
import { findSessionPolicy, policyOf, SESSION_POLICY } from './session-policy-store.ts'

export type AccountRow = {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly isDisabled: boolean
}

export type AccountWithRoles = AccountRow & UserRoles & { readonly profile: string }

export type StoredSession = Session & {
  readonly refreshSalt: string
  readonly usedAt: Date
  readonly userAgent: string
  readonly isRemembered: boolean
  readonly methods: readonly string[]
  readonly viewAs: UserId | null
  readonly user: AccountWithRoles
}

/** Runs on every request, so the query is compiled only once. */
const sessionRow = preparedQuery(({ db }: { readonly db: Kysely<Tables> }, _: Kysely<Tables>, id) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_id', 'kind', 'counter', 'refresh_salt', 'rotated_at', 'successor_seen'])
    .select([
      'sessions.created_at',
      'ends_at',
      'ended_at',
      'sessions.used_at',
      'user_agent',
      'is_remembered',
      'methods',
      'view_as',
    ])
    .select((is) =>
      is.selectFrom('workspace').select('value').where('workspace.name', '=', SESSION_POLICY).as('policy'),
    )
    .select(['email', 'name', 'profile', 'disabled_at'])
    .select(userRoleColumns())
    .where('sessions.id', '=', id)
    .compile(),
)

/** Loads a session with its user and the session policy in one query, so that changes take effect immediately. */
export async function findSession(db: Kysely<Tables>, id: SessionId): Promise<StoredSession | undefined> {
  const [row] = await sessionRow({ db }, db, id)
  if (row === undefined) return undefined
  const usedAt = new Date(row.used_at)
  const isRemembered = row.is_remembered === 1
  const times = { createdAt: new Date(row.created_at), usedAt, endsAt: new Date(row.ends_at), isRemembered }
  return {
    id: row.id,
    userId: row.user_id,
    kind: row.kind === 'api' ? 'api' : 'browser',
    counter: row.counter,
    refreshSalt: row.refresh_salt,
    usedAt,
    userAgent: row.user_agent,
    isRemembered,
    methods: row.methods.split(','),
    viewAs: row.view_as,
    rotatedAt: new Date(row.rotated_at),
    isSuccessorSeen: row.successor_seen === 1,
    ...sessionEnds(times, policyOf(row.policy)),
    isEnded: row.ended_at !== null,
    user: {
      id: row.user_id,
      email: row.email,
      name: row.name,
      isDisabled: row.disabled_at !== null,
      profile: row.profile,
      ...readUserRoles(row),
    },
  }
}

type NewSession = {
  readonly id: SessionId
  readonly userId: UserId
  readonly kind: SessionKind
  readonly refreshSalt: string
  readonly now: Date
  readonly provenAt: Date
  readonly endsAt: Date
  readonly isRemembered: boolean
  readonly userAgent: string
  readonly address: string
  readonly methods: readonly SignInMethod[]
}

/** Stores a new session. It has no token yet, so other processes don't need to see it immediately. */
export async function insertSession(db: Kysely<Tables>, session: NewSession): Promise<void> {
  const at = session.now.toISOString()
  await db
    .insertInto('sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      kind: session.kind,
      counter: 0,
      refresh_salt: session.refreshSalt,
      rotated_at: at,
      successor_seen: 1,
      created_at: at,
      used_at: at,
      ends_at: session.endsAt.toISOString(),
      ended_at: null,
      end_reason: null,
      user_agent: session.userAgent,
      address: session.address,
      proven_at: session.provenAt.toISOString(),
      methods: session.methods.join(','),
      is_remembered: Number(session.isRemembered),
    })
    .execute()
}

/** Increments the refresh counter; returns false if another refresh has already incremented it. */
export async function rotateRefreshToken(
  db: Kysely<Tables>,
  session: Pick<StoredSession, 'id' | 'counter'>,
  at: Date,
): Promise<boolean> {
  const now = at.toISOString()
  const result = await db
    .updateTable('sessions')
    .set({ counter: session.counter + 1, rotated_at: now, used_at: now, successor_seen: 0 })
    .where('id', '=', session.id)
    .where('counter', '=', session.counter)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Records that the client has received the latest refresh token, or an access token issued with it. */
export async function markSuccessorSeen(db: Kysely<Tables>, id: SessionId, counter: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ successor_seen: 1 })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .execute()
}

export type EndScope = { readonly userId: UserId; readonly only?: SessionId; readonly allBut?: SessionId }

/** Ends sessions and returns their number; sessions that had already ended keep their end reason. */
export async function endSessions(db: Kysely<Tables>, scope: EndScope, reason: EndReason, now: Date): Promise<number> {
  let ending = db
    .updateTable('sessions')
    .set({ ended_at: now.toISOString(), end_reason: reason })
    .where('user_id', '=', scope.userId)
    .where('ended_at', 'is', null)
  if (scope.only !== undefined) ending = ending.where('id', '=', scope.only)
  if (scope.allBut !== undefined) ending = ending.where('id', '!=', scope.allBut)
  const { numUpdatedRows } = await ending.executeTakeFirst()
  return Number(numUpdatedRows)
}

type AccountColumns = {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly disabled_at: string | null
}

const accountOf = (row: AccountColumns): AccountRow => ({
  id: row.id,
  email: row.email,
  name: row.name,
  isDisabled: row.disabled_at !== null,
})

export async function findLogin(
  db: Kysely<Tables>,
  emailFold: string,
): Promise<{ readonly account: AccountRow; readonly passwordHash: string } | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'disabled_at', 'password_hash'])
    .where('email_fold', '=', emailFold)
    .executeTakeFirst()
  return row && { account: accountOf(row), passwordHash: row.password_hash }
}

export async function findAccount(
  db: Kysely<Tables>,
  id: UserId,
): Promise<(AccountRow & { readonly language: Language | null }) | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'language', 'disabled_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...accountOf(row), language: toLanguage(row.language) ?? null }
}

export async function findAuthenticatedAt(db: Kysely<Tables>, id: SessionId): Promise<Date | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select(['created_at', 'proven_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && new Date(row.proven_at ?? row.created_at)
}

export async function findMethods(db: Reader, id: SessionId): Promise<string[] | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('methods')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row?.methods.split(',')
}

export async function saveProof(
  db: Reader,
  id: SessionId,
  proof: { readonly provenAt: Date; readonly methods: readonly string[] },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ proven_at: proof.provenAt.toISOString(), methods: proof.methods.join(',') })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

export type ListedSession = {
  readonly id: SessionId
  readonly kind: SessionKind
  readonly userAgent: string
  readonly address: string
  readonly createdAt: string
  readonly usedAt: string
  readonly endsAt: string
}

export async function findListedSessions(db: Reader, userId: UserId, now: Date): Promise<ListedSession[]> {
  const policy = await findSessionPolicy(db)
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'kind', 'user_agent', 'address', 'created_at', 'used_at', 'ends_at', 'is_remembered'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', now.toISOString())
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.flatMap((row) => {
    const { created_at: createdAt, used_at: usedAt } = row
    const ends = sessionEnds(
      {
        createdAt: new Date(createdAt),
        usedAt: new Date(usedAt),
        endsAt: new Date(row.ends_at),
        isRemembered: row.is_remembered === 1,
      },
      policy,
    )
    if (!isAlive({ ...ends, isEnded: false }, now)) return []
    const kind = row.kind === 'api' ? 'api' : 'browser'
    const endsAt = ends.endsAt.toISOString()
    return [{ id: row.id, kind, userAgent: row.user_agent, address: row.address, createdAt, usedAt, endsAt }]
  })
}

export async function saveSessionUse(
  db: Reader,
  id: SessionId,
  use: { readonly now: Date; readonly address: string },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ used_at: use.now.toISOString(), address: use.address })
    .where('id', '=', id)
    .where('used_at', '<', use.now.toISOString())
    .execute()
}
