import { holdsList } from '#domain/fields/field.ts'
import { listTableOf, tableOf } from '#server/query/sql/column-names.ts'
import type { Check } from '#server/operations/doctor/check.ts'
import { listOrphans, misnumbered, recordTables, wrongVersions } from '#server/operations/doctor/store.ts'

/** Every entry of a list field belongs to a record; records have versions, and numbers in the order of their ids. Missing tables are told elsewhere. */
export const checkListEntries: Check = {
  name: 'Record lists and versions are consistent',
  run: async ({ database, definitions }) => {
    const present = await recordTables(database)
    const findings: string[] = []
    for (const { id, name, fields } of definitions.list.filter(({ id }) => present.has(tableOf(id)))) {
      const wrong = await wrongVersions(database.read, id)
      if (wrong > 0) findings.push(`${wrong} records of ${name} have an invalid version.`)
      const misplaced = database.dialect === 'sqlite' ? await misnumbered(database.read, id) : 0
      if (misplaced > 0)
        findings.push(`${misplaced} records of ${name} have sequence numbers that don't match the order of their IDs.`)
      for (const field of fields.filter((field) => holdsList(field) && present.has(listTableOf(field.id)))) {
        const orphans = await listOrphans(database.read, id, field.id)
        if (orphans > 0) findings.push(`${orphans} values of ${name}.${field.name} belong to records that don't exist.`)
      }
    }
    return findings
  },
}
