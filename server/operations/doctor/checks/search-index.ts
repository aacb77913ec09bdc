import type { Check } from '#server/operations/doctor/check.ts'
import { indexFaults } from '#server/operations/doctor/store.ts'

/** SQLite only: full-text indexes hold exactly the records with text. The server creates missing ones. */
export const checkSearchIndex: Check = {
  name: 'Search indexes are complete',
  run: async ({ database, definitions }) => {
    if (database.dialect === 'postgres') return []
    const findings: string[] = []
    for (const { id, name } of definitions.list) {
      for (const part of definitions.searchParts.get(id) ?? []) {
        const { lacking, gone } = await indexFaults(database.read, part)
        if (lacking > 0) findings.push(`${lacking} records of ${name} are missing from its search index.`)
        if (gone > 0) findings.push(`The search index of ${name} contains ${gone} deleted records.`)
      }
    }
    return findings
  },
}
