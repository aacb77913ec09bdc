import { changeLogAgrees } from './change-log-agrees.ts'
import type { Check, Patient } from './check.ts'
import { fileIsWhole } from './file-is-whole.ts'
import { filesAreThere } from './files-are-there.ts'
import { importsAreOver } from './imports-are-over.ts'
import { listsBelongToRecords } from './lists-belong-to-records.ts'
import { referencesHold } from './references-hold.ts'
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
  filesAreThere,
]

/** What one check found. */
export type Examined = Pick<Check, 'name' | 'endsByItself'> & { readonly findings: readonly string[] }

/** Runs every check, one after another, and tells each as soon as it is done. */
export async function examine(patient: Patient, onExamined: (examined: Examined) => void): Promise<void> {
  for (const { run, ...check } of ALL_CHECKS) onExamined({ ...check, findings: await run(patient) })
}
