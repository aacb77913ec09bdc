import type { Check } from './check.ts'
import { sqliteIntegrity } from './store.ts'

/** The database file itself; PostgreSQL looks after its own. */
export const fileIsWhole: Check = {
  name: 'The database file is whole',
  run: async ({ database }) => {
    if (database.dialect === 'postgres') return []
    const lines = await sqliteIntegrity(database.read)
    return lines.map((line) => `SQLite found damage: ${line}`)
  },
}
