import { causeInWords } from '#server/database/sqlite/sqlite-fault.ts'
import { changeLogAgrees } from './change-log-agrees.ts'
import type { Check, Patient } from './check.ts'
import { fileIsWhole } from './file-is-whole.ts'
import { filesInQuarantine, filesUnknown } from './files-are-kept.ts'
import { filesAreThere } from './files-are-there.ts'
import { grantsCount } from './grants-count.ts'
import { importsAreOver } from './imports-are-over.ts'
import { listsBelongToRecords } from './lists-belong-to-records.ts'
import { referencesHold } from './references-hold.ts'
import { storageIsOurs } from './storage-is-ours.ts'
import { tablesMatchDefinitions } from './tables-match-definitions.ts'
import { textsAreIndexed } from './texts-are-indexed.ts'

/** Every check there is, from the ground up. */
const ALL_CHECKS: readonly Check[] = [
  fileIsWhole,
  referencesHold,
  tablesMatchDefinitions,
  listsBelongToRecords,
  textsAreIndexed,
  changeLogAgrees,
  importsAreOver,
  storageIsOurs,
  filesAreThere,
  filesInQuarantine,
  filesUnknown,
  grantsCount,
]

/** What one check found. */
export type Examined = Pick<Check, 'name' | 'endsByItself' | 'isNote'> & { readonly findings: readonly string[] }

/** Runs every check, one after another, and reports each as soon as it is done. */
export async function examine(patient: Patient, onExamined: (examined: Examined) => void): Promise<void> {
  for (const { run, ...check } of ALL_CHECKS) onExamined({ ...check, findings: await findingsOf(run(patient)) })
}

/** A check that fails is a finding of its own, so damage in one place does not hide what the others find. */
const findingsOf = (running: Promise<readonly string[]>): Promise<readonly string[]> =>
  running.then(undefined, (error: unknown) => [`This could not be checked: ${causeInWords(error)}`])
