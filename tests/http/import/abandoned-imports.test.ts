import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idLowerBound } from '#domain/shared/ids.ts'
import type { Database } from '#server/platform/database/database.ts'
import { sweepFiles } from '#server/transfer/imports/import-cleanup.ts'
import { csvPathOf, isThere } from '#server/transfer/imports/staged-files.ts'
import { updateImport, findImport } from '#server/transfer/imports/store.ts'
import { upload } from '#tests/conformance/csv-import.ts'
import { openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** Inspects a file, advances the clock by more than a day, and runs the cleanup on a server with this database. */
async function sweptAfterADay(databaseFor: (id: string) => Database) {
  const { id } = (await upload(await app.asOwner(), 'title\nA\n')).body
  app.clock.move(25 * 60 * 60 * 1000)
  const place = { dataFolder: app.config.dataFolder }
  await sweepFiles({ database: databaseFor(id), clock: app.clock.now, ...place })
  const item = await findImport(app.database.read, id)
  return { state: item?.state, hasFile: await isThere(csvPathOf(place, id)) }
}

test('deletes an import file that was not used for a day', async () => {
  expect(await sweptAfterADay(() => app.database)).toEqual({ state: 'cancelled', hasFile: false })
})

test('keeps an import that starts just before it would be deleted', async () => {
  const startedMeanwhile = (id: string): Database => ({
    ...app.database,
    write: async (work) => {
      await app.database.write((transaction) => updateImport(transaction, id, { state: 'running' }))
      return app.database.write(work)
    },
  })
  expect(await sweptAfterADay(startedMeanwhile)).toEqual({ state: 'running', hasFile: true })
})

describe('an unknown file in the import folder', () => {
  const HOUR_MS = 60 * 60 * 1000
  const place = () => ({ dataFolder: app.config.dataFolder })

  async function sweptAt(name: string, hoursOld: number): Promise<boolean> {
    const path = join(app.config.dataFolder, 'imports', name)
    const at = new Date(Date.now() - hoursOld * HOUR_MS)
    await writeFile(path, 'title\nA\n')
    await utimes(path, at, at)
    await sweepFiles({ database: app.database, clock: app.clock.now, ...place() })
    return isThere(path)
  }

  test('is kept for a day', async () => {
    expect(await sweptAt('01hzzzzzzz0123456789abcdef.csv', 23)).toBe(true)
    expect(await sweptAt('01hzzzzzzz0123456789abcdef.csv', 25)).toBe(false)
  })

  test('is kept if its ID is recent, regardless of its modification time', async () => {
    expect(await sweptAt(`${idLowerBound(Date.now())}0123456789abcdef.csv`, 25)).toBe(true)
  })

  test("is never deleted if it isn't an import file", async () => {
    for (const name of ['accounts 2026.csv', 'notes.txt']) expect(await sweptAt(name, 1000)).toBe(true)
  })
})
