import { randomBytes } from 'node:crypto'
import { grantsOfBuiltIn } from '#domain/access/built-in-roles.ts'
import { type Permission, supportsPart } from '#domain/access/permission.ts'
import { createIdGenerator } from '#domain/shared/ids.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { secret } from '#server/platform/config/setting-readers.ts'
import { prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import { itemsOf, type JsonAnswer } from '../client/requests.ts'
import type { RawRequest } from '../client/raw-client.ts'
import { HIDDEN_STATUS } from './generated-records.ts'
import type { EnvironmentPaths } from './environment-paths.ts'

/** Benchmark users; there are many because sign-ins are rate limited per user. */
export const USERS = {
  owner: 'owner@example.org',
  bound: 'bound@example.org',
  many: Array.from({ length: 16 }, (_, at) => `user-${at}@example.org`),
  password: 'seven otters play the violin',
} as const

/** Creates all users except the owner. The server must be stopped. */
export async function createUsers({ dataFolder, databaseUrl }: EnvironmentPaths): Promise<void> {
  const address = databaseUrl === undefined ? undefined : secret(databaseUrl)
  const database = await openDatabase({ dataFolder, databaseUrl: address }, { openedBy: 'command-line' })
  try {
    for (const email of [USERS.bound, ...USERS.many]) await makeUser(database, email)
  } finally {
    await database.close()
  }
}

async function makeUser(database: Database, email: string): Promise<void> {
  const deps = { clock: () => new Date(), newId: createIdGenerator(() => Date.now(), randomBytes) }
  const prepared = await prepareUser(deps, { email, name: 'Test user', password: USERS.password, roles: ['viewer'] })
  await database.write((transaction) => storeUser(transaction, prepared))
}

/** Sends a request as the owner. */
export type Send = (method: RawRequest['method'], path: string, body?: unknown) => Promise<JsonAnswer>

/** Replaces a user's roles with a new one that has these grants. */
export async function assignRole(send: Send, email: string, grants: readonly unknown[]): Promise<void> {
  const policy = await send('POST', '/api/policies', { name: `Of ${email}`, grants })
  const role = await send('POST', '/api/roles', { name: `Of ${email}`, policies: [policy['id']] })
  const users = itemsOf(await send('GET', '/api/users'))
  const user = users.find((each) => each['email'] === email)
  await send('PATCH', `/api/users/${String(user?.['id'])}`, { roles: [role['id']] })
}

/** Makes the restricted user an editor with a row filter and a hidden field in the measured collection. */
export async function restrictBoundUser(send: Send): Promise<void> {
  const collections = itemsOf(await send('GET', '/api/collections'))
  const items = collections.find(({ name }) => name === 'items')
  // The API guarantees this format.
  const fields = (items?.['fields'] ?? []) as readonly { readonly id: string; readonly name: string }[]
  const hidden = fields.find(({ name }) => name === 'remark')
  if (!items || !hidden) throw new Error('The measured collection does not exist.')
  const restrictionOf = (permission: Permission) => ({
    ...(supportsPart(permission, 'where') && { where: `status != "${HIDDEN_STATUS}"` }),
    ...(supportsPart(permission, 'fields') && { fields: { except: [hidden.id] } }),
  })
  const grants = grantsOfBuiltIn('editor').flatMap(({ permission }) =>
    collections.map(({ id }) => ({ permission, collection: id, ...(id === items['id'] && restrictionOf(permission)) })),
  )
  await assignRole(send, USERS.bound, grants)
}
