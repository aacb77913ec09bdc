import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { sweepFiles } from '#server/imports/look-after-imports.ts'
import { csvPathOf, isThere } from '#server/imports/staged-files.ts'
import { changeImport, findImport } from '#server/imports/store.ts'
import { upload } from '#tests/imports/csv-import.ts'
import { openTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** A file that was looked at more than a day ago, and is swept by a server with this database. */
async function sweptAfterADay(databaseFor: (id: string) => Database) {
  const { id } = (await upload(await app.asOwner(), 'title\nA\n')).body
  app.clock.move(25 * 60 * 60 * 1000)
  const place = { dataFolder: app.config.dataFolder }
  await sweepFiles({ database: databaseFor(id), clock: app.clock.now, ...place })
  const item = await findImport(app.database.read, id)
  return { state: item?.state, hasFile: await isThere(csvPathOf(place, id)) }
}

test('a file nobody came back to for a day is given up', async () => {
  expect(await sweptAfterADay(() => app.database)).toEqual({ state: 'cancelled', hasFile: false })
})

test('an import that is started just when it would be given up goes on', async () => {
  const startedMeanwhile = (id: string): Database => ({
    ...app.database,
    write: async (work) => {
      await app.database.write((transaction) => changeImport(transaction, id, { state: 'running' }))
      return app.database.write(work)
    },
  })
  expect(await sweptAfterADay(startedMeanwhile)).toEqual({ state: 'running', hasFile: true })
})
