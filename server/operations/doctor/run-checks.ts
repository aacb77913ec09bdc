import { describeCause } from '#server/platform/database/sqlite/sqlite-errors.ts'
import { checkChangeLog } from './checks/change-log.ts'
import type { Check, CheckContext } from './check.ts'
import { checkDatabaseFile } from './checks/database-file.ts'
import { checkQuarantinedFiles, checkUnknownFiles } from './checks/quarantined-files.ts'
import { checkMissingFiles } from './checks/missing-files.ts'
import { checkGrants } from './checks/ineffective-grants.ts'
import { checkImports } from './checks/interrupted-imports.ts'
import { checkListEntries } from './checks/list-entries.ts'
import { checkReferences } from './checks/references.ts'
import { checkStorageOwner } from './checks/storage-owner.ts'
import { checkTables } from './checks/tables.ts'
import { checkSearchIndex } from './checks/search-index.ts'

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
  running.then(undefined, (error: unknown) => [`Check failed: ${describeCause(error)}`])
