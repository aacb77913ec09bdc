import { randomBytes } from 'node:crypto'
import { type BuiltInRole, grantsOfBuiltIn } from '#domain/access/built-in-roles.ts'
import { type Collection, fieldByName } from '#domain/collections/collection.ts'
import type { Grant } from '#domain/access/grant.ts'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { loadCollections } from '#server/query/definitions/store.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { secret } from '#server/platform/config/setting-readers.ts'
import { prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import { HIDDEN_STATUS } from './generated-records.ts'
import type { EnvironmentPaths } from './environment-paths.ts'

/** Benchmark users; there are many because sign-ins are rate limited per user. */
export const USERS = {
  owner: 'owner@example.org',
  bound: 'bound@example.org',
  many: Array.from({ length: 16 }, (_, at) => `somebody-${at}@example.org`),
  password: 'seven otters play the violin',
} as const

/** Creates all users except the owner and sets the grants of restricted users. The server must be stopped. */
export async function createUsers({ dataFolder, databaseUrl }: EnvironmentPaths): Promise<readonly Grant[]> {
  const address = databaseUrl === undefined ? undefined : secret(databaseUrl)
  const database = await openDatabase({ dataFolder, databaseUrl: address }, { openedBy: 'command-line' })
  try {
    await makeUser(database, USERS.bound, 'editor')
    for (const email of USERS.many) await makeUser(database, email, 'viewer')
    return restrictedGrants(await loadCollections(database.read))
  } finally {
    await database.close()
  }
}

async function makeUser(database: Database, email: string, role: BuiltInRole): Promise<void> {
  const deps = { clock: () => new Date(), newId: createIdGenerator(() => Date.now(), randomBytes) }
  const prepared = await prepareUser(deps, { email, name: 'Somebody', password: USERS.password, roles: [role] })
  await database.write((transaction) => storeUser(transaction, prepared))
}

/** Grants of the restricted editor, with a row filter and a hidden field. */
function restrictedGrants(collections: readonly Collection[]): readonly Grant[] {
  const items = collections.find(({ name }) => name === 'items')
  const hidden = items && fieldByName(items, 'remark')
  if (!items || !hidden) throw new Error('The measured collection does not exist.')
  const elsewhere = collections.filter(({ id }) => id !== items.id)
  const where = { field: 'status', op: '!=', value: HIDDEN_STATUS } as const
  const fields = { except: [hidden.id] }
  return grantsOfBuiltIn('editor').flatMap(({ permission }): Grant[] => [
    ...elsewhere.map(({ id }) => ({ permission, collection: id })),
    { permission, collection: items.id, where, fields },
  ])
}
