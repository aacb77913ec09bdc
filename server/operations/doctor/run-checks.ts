import { holdsList } from '#domain/fields/field.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Clock } from '#domain/shared/time.ts'
import { QUARANTINE_DAYS } from '#domain/uploads/quarantine.ts'
import { faultyGrants } from '#server/access/rights/access-rules-cache.ts'
import type { Config } from '#server/platform/config/config.ts'
import { blobCounts, findUnknownFiles } from '#server/files/blobs/remove-blobs.ts'
import { storageIds } from '#server/files/ownership/claim-storage.ts'
import type { Database } from '#server/platform/database/database.ts'
import { DEFINITIONS_VERSION } from '#server/platform/database/tables/user-role-columns.ts'
import { readWorkspaceValue } from '#server/platform/database/workspace-values.ts'
import { describeCause, isCorruption } from '#server/platform/database/sqlite/sqlite-errors.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { describeStorageStartError, openStorage } from '#server/platform/storage/open-storage.ts'
import { definitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { listTableOf, tableOf } from '#server/query/sql/sql-context.ts'
import {
  type Check,
  type CheckContext,
  checkDatabaseFile,
  checkRollups,
  checkSearchIndex,
  checkTables,
  damageOf,
  MAX_FINDINGS,
} from './checks.ts'
import {
  assetsAfter,
  brokenReferences,
  changesAfter,
  existing,
  latestChanges,
  listOrphans,
  misnumbered,
  recordTables,
  unfinishedImports,
  wrongVersions,
} from './store.ts'

/** Number of newest change log entries per collection that are compared with their records. */
const ENTRIES_COMPARED = 1000

/** Tolerated clock skew between servers. */
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000

/**
 * The newest entry for a record must match it, no entry may be in the future, and the definitions version must
 * increase.
 */
const checkChangeLog: Check = {
  name: 'The change log matches the records',
  run: async ({ database, definitions, now }) => {
    const { read } = database
    const findings: string[] = []
    const version = await readWorkspaceValue(read, DEFINITIONS_VERSION)
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

/** Expects entries sorted from newest to oldest. */
function latestKindByRecord(
  entries: readonly { readonly record_id: string | null; readonly kind: string }[],
): Map<string, string> {
  const last = new Map<string, string>()
  for (const { record_id: record, kind } of entries) {
    if (record !== null && !last.has(record)) last.set(record, kind)
  }
  return last
}

const PAGE = 500

/** Number of concurrent requests; sequential requests to S3 would take milliseconds each. */
const MAX_CONCURRENT = 20

const checkMissingFiles: Check = {
  name: 'Every file is in the storage',
  run: async ({ database, blobs }) => {
    const findings: string[] = []
    let page = await assetsAfter(database.read, '', PAGE)
    while (page.length > 0) {
      for (let at = 0; at < page.length; at += MAX_CONCURRENT) {
        const some = page.slice(at, at + MAX_CONCURRENT)
        const found = await Promise.all(some.map((file) => faultOf(blobs, file)))
        findings.push(...found.filter((finding) => finding !== undefined))
      }
      if (findings.length >= MAX_FINDINGS) return findings
      page = await assetsAfter(database.read, page.at(-1)?.id ?? '', PAGE)
    }
    return findings
  },
}

type File = Awaited<ReturnType<typeof assetsAfter>>[number]

async function faultOf(blobs: BlobStorage, { id, name, hash, bytes }: File): Promise<string | undefined> {
  const blob = await blobs.open(hash)
  if (blob === undefined) return `File ${name} (${id}) is missing from the storage.`
  return blob.bytes === bytes ? undefined : `File ${name} (${id}) has ${blob.bytes} bytes instead of ${bytes}.`
}

const describeFiles = (count: number, bytes: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'file' : 'files'} with ${bytes.toLocaleString('en')} bytes`

const checkQuarantinedFiles: Check = {
  name: `Unused files are kept for ${QUARANTINE_DAYS} days`,
  isNote: true,
  run: async ({ database, now }) => {
    const { quarantined, quarantinedBytes, due, dueBytes } = await blobCounts({ database, clock: () => now })
    if (quarantined === 0) return []
    return [
      `${describeFiles(quarantined, quarantinedBytes)}; ${describeFiles(due, dueBytes)} will be deleted by the next cleanup.`,
    ]
  },
}

const checkUnknownFiles: Check = {
  name: 'Unknown files in the storage are kept',
  isNote: true,
  run: async (patient) => {
    const { count, bytes, sample } = await findUnknownFiles(patient)
    return count === 0 ? [] : [`${describeFiles(count, bytes)}, such as ${sample.join(', ')}`]
  },
}

/** Missing tables are reported by another check. */
const checkListEntries: Check = {
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

const checkImports: Check = {
  name: 'No unfinished imports',
  endsByItself: true,
  run: async ({ database }) => {
    const found = await unfinishedImports(database.read)
    return found.map(
      ({ id, file_name, state }) =>
        `Import ${id} of ${file_name} is ${state}. Unless a server is running it now, the next start removes its records.`,
    )
  },
}

const checkStorageOwner: Check = {
  name: 'The file storage belongs to this workspace',
  run: async (patient) => {
    const { databaseId, storageId } = await storageIds(patient)
    if (databaseId === undefined || storageId === undefined || databaseId === storageId) return []
    return [`The storage belongs to workspace ${storageId}, but the database belongs to workspace ${databaseId}.`]
  },
}

/** SQLite only; PostgreSQL enforces its foreign keys itself. */
const checkReferences: Check = {
  name: 'References are valid',
  run: async ({ database }) => {
    if (database.dialect === 'postgres') return []
    const broken = await brokenReferences(database.read)
    return broken.map(({ table, parent, count }) => `${count} rows of ${table} reference missing rows of ${parent}.`)
  },
}

const checkGrants: Check = {
  name: 'Policy conditions use only values and IDs',
  isNote: true,
  run: ({ database, definitions }) => faultyGrants(database.read, definitions.byId),
}

const ALL_CHECKS: readonly Check[] = [
  checkDatabaseFile,
  checkReferences,
  checkTables,
  checkListEntries,
  checkSearchIndex,
  checkRollups,
  checkChangeLog,
  checkImports,
  checkStorageOwner,
  checkMissingFiles,
  checkQuarantinedFiles,
  checkUnknownFiles,
  checkGrants,
]

type CheckResult = Pick<Check, 'name' | 'endsByItself' | 'isNote'> & { readonly findings: readonly string[] }

/** Runs all checks in order and reports each result immediately. */
export async function runChecks(patient: CheckContext, onExamined: (examined: CheckResult) => void): Promise<void> {
  for (const { run, ...check } of ALL_CHECKS) onExamined({ ...check, findings: await findingsOf(run(patient)) })
}

/** Reports a failed check as a finding, so that damage in one place doesn't hide other findings. */
const findingsOf = (running: Promise<readonly string[]>): Promise<readonly string[]> =>
  running.then(undefined, (error: unknown) => [`Check failed: ${describeCause(error)}`])

type Deps = {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly say: (line: string) => void
}

/** Runs all checks and returns the number of errors. Unfinished work is expected in a backup. */
export async function runDoctor(
  { config, database, clock, say }: Deps,
  { isBackup }: { readonly isBackup: boolean } = { isBackup: false },
): Promise<number> {
  const noStorage = await describeStorageStartError(config)
  if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
  const blobs = await openStorage(config, () => undefined)
  let found = 0
  const tell = ({ name, findings, endsByItself, isNote }: CheckResult): void => {
    const isWell = findings.length === 0 || isNote === true || (isBackup && endsByItself === true)
    say(`${isWell ? 'ok   ' : 'FAIL '}  ${name}`)
    for (const finding of findings) say(`         ${finding}`)
    found += isWell ? 0 : findings.length
  }
  const definitions = await definitionsCache(database, () => performance.now())
    .current()
    .then(undefined, (error: unknown) => {
      if (!isCorruption(error)) throw error
      return undefined
    })
  // Without definitions, nothing else can be checked.
  if (definitions) await runChecks({ database, definitions, blobs, now: clock() }, tell)
  else tell({ name: checkDatabaseFile.name, findings: await damageOf(database, []) })
  say(found === 0 ? 'No problems found.' : `${found} problems found. Nothing was changed.`)
  return found
}
