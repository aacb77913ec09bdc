import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type OpenTestDatabase } from '#tests/support/database/test-database.ts'
import { describeLastBackup, recordBackup } from './last-backup.ts'

let opened: OpenTestDatabase
beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened.close())

test('reports the age of the last backup, or that none exists', async () => {
  const { database } = opened
  const tell = (at: string) => describeLastBackup(database, new Date(at))
  expect(await tell('2026-11-20T09:00:00.000Z')).toContain(
    'No backup yet. Create one with "npm run dossier -- backup".',
  )
  await recordBackup(database, { at: '2026-11-19T09:00:00.000Z', folder: '/mnt/one' })
  await recordBackup(database, { at: '2026-11-20T09:00:00.000Z', folder: '/mnt/two' })
  expect(await tell('2026-11-20T12:00:00.000Z')).toBe('The last backup is from today: /mnt/two')
  expect(await tell('2026-11-21T12:00:00.000Z')).toBe('The last backup is 1 day old: /mnt/two')
  expect(await tell('2026-12-20T12:00:00.000Z')).toBe('The last backup is 30 days old: /mnt/two')
})
