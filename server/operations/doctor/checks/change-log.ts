import { tableOf } from '#server/query/sql/column-names.ts'
import { type Check, MAX_FINDINGS } from '#server/operations/doctor/check.ts'
import { changesAfter, existing, fact, latestChanges, recordTables } from '#server/operations/doctor/store.ts'

/** How many of the newest entries of each collection are compared with the records they speak of. */
const ENTRIES_COMPARED = 1000

/** A clock may have been a little ahead; by more than this the order of the log is in doubt. */
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000

/** The log's last word on a record is true, nothing in it is from the future, and the counter of definitions counts. */
export const checkChangeLog: Check = {
  name: 'The change log matches the records',
  run: async ({ database, definitions, now }) => {
    const { read } = database
    const findings: string[] = []
    const version = await fact(read, 'definitions-version')
    if (version === undefined || !/^\d+$/.test(version)) findings.push('The definitions counter is not a number.')

    const future = await changesAfter(read, new Date(now.getTime() + CLOCK_TOLERANCE_MS).toISOString())
    if (future > 0) findings.push(`${future} entries are dated in the future. Check the system clock.`)

    const present = await recordTables(database)
    for (const { id, name } of definitions.list.filter((collection) => present.has(tableOf(collection.id)))) {
      const last = latestKindByRecord(await latestChanges(read, id, ENTRIES_COMPARED))
      const there = await existing(read, id, [...last.keys()])
      for (const [record, kind] of last) {
        const isDeleted = kind === 'record-deleted'
        if (isDeleted && there.has(record))
          findings.push(`The log says that record ${record} of ${name} was deleted, but it exists.`)
        if (!isDeleted && !there.has(record))
          findings.push(`Record ${record} of ${name} is missing without a deletion in the log.`)
      }
    }
    return findings.slice(0, MAX_FINDINGS)
  },
}

/** Of each record the newest entry; they come newest first. */
function latestKindByRecord(
  entries: readonly { readonly record_id: string | null; readonly kind: string }[],
): Map<string, string> {
  const last = new Map<string, string>()
  for (const { record_id: record, kind } of entries) {
    if (record !== null && !last.has(record)) last.set(record, kind)
  }
  return last
}
