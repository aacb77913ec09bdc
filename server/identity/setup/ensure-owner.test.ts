import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { fixedClock } from '#tests/support/clock/fixed-clock.ts'
import { type OpenTestDatabase, openTestDatabase } from '#tests/support/database/test-database.ts'
import { createFirstOwner, ensureOwner, isOwnerMissing } from './ensure-owner.ts'

const clock = fixedClock()
const newId = createIdGenerator(() => clock.now().getTime(), randomBytes)
const password = 'seven otters play the violin'

let opened: OpenTestDatabase

beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened.close())

const deps = () => ({ database: opened.database, clock: clock.now, newId })

describe('the owner', () => {
  test('is created only once by several concurrent setups', async () => {
    expect(await isOwnerMissing(opened.database.read)).toBe(true)
    const made = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => createFirstOwner(deps(), { email: `${name}@example.org`, name, password })),
    )
    expect(made.filter((id) => id !== undefined)).toHaveLength(1)
    expect(await isOwnerMissing(opened.database.read)).toBe(false)
  })

  test('created from the command line is a new user, or an existing user who gets the role and a new password', async () => {
    const owner = { email: 'Grace@Example.org', name: 'Grace', password }
    expect(await ensureOwner(deps(), owner)).toBe('created')
    expect(await ensureOwner(deps(), { ...owner, email: 'grace@example.ORG', password: `${password} twice` })).toBe(
      'changed',
    )
    const rows = await opened.database.read
      .selectFrom('users')
      .innerJoin('user_roles', 'user_roles.user_id', 'users.id')
      .select(['email', 'role_id'])
      .where('email_fold', '=', 'grace@example.org')
      .execute()
    expect(rows).toEqual([{ email: 'Grace@Example.org', role_id: 'owner' }])
  })

  test('with a weak password is rejected', async () => {
    await expect(ensureOwner(deps(), { email: 'x@example.org', name: 'X', password: 'short' })).rejects.toThrow(
      /at least 15/,
    )
  })
})
