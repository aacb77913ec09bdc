import { describeCause } from '#server/database/sqlite/sqlite-fault.ts'
import { checkChangeLog } from './change-log-agrees.ts'
import type { Check, CheckContext } from './check.ts'
import { checkDatabaseFile } from './file-is-whole.ts'
import { checkQuarantinedFiles, checkUnknownFiles } from './files-are-kept.ts'
import { checkMissingFiles } from './files-are-there.ts'
import { checkGrants } from './grants-count.ts'
import { checkImports } from './imports-are-over.ts'
import { checkListEntries } from './lists-belong-to-records.ts'
import { checkReferences } from './references-hold.ts'
import { checkStorageOwner } from './storage-is-ours.ts'
import { checkTables } from './tables-match-definitions.ts'
import { checkSearchIndex } from './texts-are-indexed.ts'

/** Every check there is, from the ground up. */
const ALL_CHECKS: readonly Check[] = [
  checkDatabaseFile,
  checkReferences,
  checkTables,
  checkListEntries,
  checkSearchIndex,
  checkChangeLog,
  checkImports,
  checkStorageOwner,
  checkMissingFiles,
  checkQuarantinedFiles,
  checkUnknownFiles,
  checkGrants,
]

/** What one check found. */
export type CheckResult = Pick<Check, 'name' | 'endsByItself' | 'isNote'> & { readonly findings: readonly string[] }

/** Runs every check, one after another, and reports each as soon as it is done. */
export async function runChecks(patient: CheckContext, onExamined: (examined: CheckResult) => void): Promise<void> {
  for (const { run, ...check } of ALL_CHECKS) onExamined({ ...check, findings: await findingsOf(run(patient)) })
}

/** A check that fails is a finding of its own, so damage in one place does not hide what the others find. */
const findingsOf = (running: Promise<readonly string[]>): Promise<readonly string[]> =>
  running.then(undefined, (error: unknown) => [`This could not be checked: ${describeCause(error)}`])
