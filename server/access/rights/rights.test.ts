import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FIRST_POLICIES, grantsOfBuiltIn } from '#domain/access/built-in-roles.ts'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { insertSession, findSession } from '#server/identity/sessions/store.ts'
import { prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import { countReads } from '#tests/support/database/count-statements.ts'
import { type OpenTestDatabase, openTestDatabase } from '#tests/support/database/test-database.ts'
import { createRightsResolver, type Rights } from './rights.ts'
import { incrementAccessVersion, replacePolicy } from './roles-store.ts'
import { createAccessRulesCache } from './access-rules-cache.ts'

let opened: OpenTestDatabase

beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened.close())

const newId = createIdGenerator(Date.now, (count) => randomBytes(count))
const now = new Date('2026-11-20T09:00:00.000Z')

async function signedIn(): Promise<string> {
  const prepared = await prepareUser(
    { clock: () => now, newId },
    { email: 'ada@example.org', name: 'Ada', password: 'seven otters play the violin', roles: ['viewer', 'editor'] },
  )
  const id = newId()
  await opened.database.write(async (transaction) => {
    const userId = await storeUser(transaction, prepared)
    const times = { now, provenAt: now, endsAt: new Date('2027-01-01T00:00:00.000Z') }
    const device = { userAgent: '', address: '' }
    const session = { id, userId, kind: 'browser', refreshSalt: 'k', isRemembered: true, methods: [] } as const
    await insertSession(transaction.db, { ...session, ...times, ...device })
  })
  return id
}

test('loading permissions needs no extra database statement, and changes take effect immediately in every process', async () => {
  const { database, reads } = countReads(opened.database)
  const id = await signedIn()
  const processes = [
    createRightsResolver(createAccessRulesCache(database)),
    createRightsResolver(createAccessRulesCache(database)),
  ]
  const ask = async (): Promise<(Rights & { readonly cost: number })[]> => {
    const answers = []
    for (const rightsOf of processes) {
      const session = await findSession(database.read, id)
      if (!session) throw new Error('There is no session.')
      reads()
      answers.push({ ...(await rightsOf(session.user)), cost: reads() })
    }
    return answers
  }

  await ask()
  for (const { roles, grants, profile, cost } of await ask()) {
    expect(cost).toBe(0)
    expect(roles).toEqual(['editor', 'viewer'])
    expect(profile).toEqual({ email: 'ada@example.org', name: 'Ada' })
    expect(grants).toHaveLength(grantsOfBuiltIn('editor').length + grantsOfBuiltIn('viewer').length)
  }

  const editor = FIRST_POLICIES.find((policy) => policy.id === 'editor')
  if (!editor) throw new Error('Policy not found.')
  await opened.database.write(async (transaction) => {
    await replacePolicy(transaction, { ...editor, grants: [] })
    await incrementAccessVersion(transaction)
  })
  for (const { grants } of await ask()) expect(grants).toHaveLength(1)
  expect((await ask()).map(({ cost }) => cost)).toEqual([0, 0])
})
