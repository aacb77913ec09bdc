import { Problem } from '#domain/shared/problem.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { writeSome } from '#server/transfer/imports/changes/apply-changes.ts'
import type { StagedChange } from '#server/transfer/imports/changes/changes-store.ts'
import type { RowError } from '#server/transfer/imports/csv/csv-tasks.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import type { StartedImport } from '#server/transfer/imports/started-import.ts'
import { currentImporter } from './recheck-permission.ts'

/** What is thrown to take a write back that was only tried. */
const DRY_RUN = new Problem('import-failed', 'Dry run, nothing was saved.')

/**
 * Finds out which of the last changes break a rule, by writing them and taking all of it back: they are written for good
 * in the very write that ends the import, and the error file has to be there before that.
 */
export async function dryRunChanges(
  needs: ImportDeps,
  started: StartedImport,
  last: readonly StagedChange[],
): Promise<readonly RowError[]> {
  if (!started.plan.collection.rules?.length || last.length === 0) return []
  let refused: readonly RowError[] = []
  const importer = await currentImporter(needs, started)
  await commitChange(needs, importer, async (writing) => {
    refused = (await writeSome(needs, writing, started, last)).refused
    throw DRY_RUN
  }).then(undefined, (error: unknown) => {
    if (error !== DRY_RUN) throw error
  })
  return refused
}
