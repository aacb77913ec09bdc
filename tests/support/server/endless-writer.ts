/**
 * A program for kill tests: opens the SQLite database in the given folder, inserts numbers concurrently, and prints
 * each number once its write is acknowledged.
 */
import { join } from 'node:path'
import { migrate } from '#server/platform/database/migrations/migrate.ts'
import { openSqlite } from '#server/platform/database/sqlite/open-sqlite.ts'

const [folder = ''] = process.argv.slice(2)
const database = await openSqlite({ file: join(folder, 'dossier.db'), lockFile: join(folder, 'server.lock') })
await migrate(database)

let last = 0

async function writeOn(): Promise<void> {
  for (;;) {
    last += 1
    const name = `number ${last}`
    await database.write(({ db }) => db.insertInto('workspace').values({ name, value: '' }).execute())
    process.stdout.write(`${name}\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, writeOn))
