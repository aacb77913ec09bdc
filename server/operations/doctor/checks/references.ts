import type { Check } from '#server/operations/doctor/check.ts'
import { brokenReferences } from '#server/operations/doctor/store.ts'

/** Rows that refer to one another; PostgreSQL never lets go of one that is referred to. */
export const checkReferences: Check = {
  name: 'References are valid',
  run: async ({ database }) => {
    if (database.dialect === 'postgres') return []
    const broken = await brokenReferences(database.read)
    return broken.map(({ table, parent, count }) => `${count} rows of ${table} reference missing rows of ${parent}.`)
  },
}
