import { Problem } from '#domain/shared/problem.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { notifyPendingImportsChanged } from '#server/query/definitions/definitions-cache.ts'
import { indexImport } from '#server/query/search/index/index-records.ts'
import { applyChanges, changeSetOf, writeSome } from '#server/transfer/imports/changes/apply-changes.ts'
import { assertImportOwner, batchStorer } from './batch-storer.ts'
import type { StagedChange } from '#server/transfer/imports/changes/changes-store.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { runCsvTask } from '#server/transfer/imports/csv/run-csv-task.ts'
import { csvPathOf, errorsPathOf, removeFiles } from '#server/transfer/imports/staged-files.ts'
import { currentImporter } from './recheck-permission.ts'
import { updateImport } from '#server/transfer/imports/store.ts'
import { type ImportCounts, NO_COUNTS, rowsOf, type StartedImport } from '#server/transfer/imports/stored-import.ts'
import { undoImport } from '#server/transfer/imports/changes/undo-import.ts'

/** Thrown to roll back a dry run. */
const DRY_RUN = new Problem('import-failed', 'Dry run: nothing was saved.')

/** Finds rule violations among the last changes by writing them and rolling back; used for the error file. */
async function dryRunChanges(
  deps: ImportDeps,
  started: StartedImport,
  last: readonly StagedChange[],
): Promise<readonly RowError[]> {
  if (!started.plan.collection.rules?.length || last.length === 0) return []
  let refused: readonly RowError[] = []
  const importer = await currentImporter(deps, started)
  await commitChange(deps, importer, async (writing) => {
    refused = (await writeSome(deps, writing, started, last)).refused
    throw DRY_RUN
  }).then(undefined, (error: unknown) => {
    if (error !== DRY_RUN) throw error
  })
  return refused
}

const MAX_ERRORS = 10_000

/** Runs an import in the background; it succeeds or leaves nothing behind. */
export function startRun(deps: ImportDeps, started: StartedImport): void {
  const { id } = started.item
  const abort = new AbortController()
  const over = runImport(deps, started, abort.signal)
    .then(undefined, (error: unknown) => {
      // The cleanup of abandoned imports retries this later.
      deps.log.error({ err: error, import: id }, 'ending an import failed')
    })
    .finally(() => deps.runs.delete(id))
  deps.runs.set(id, { abort, over })
}

type ImportRun = {
  counts: ImportCounts
  readonly errors: RowError[]
  readonly signal: AbortSignal
  /** Changes to write in the same transaction that completes the import. */
  last: readonly StagedChange[]
}

async function runImport(deps: ImportDeps, started: StartedImport, signal: AbortSignal): Promise<void> {
  const { id } = started.item
  const reading: ImportRun = { counts: NO_COUNTS, errors: [], signal, last: [] }
  const failure = await readAll(deps, started, reading).then(
    () => failureIn(started, reading.counts) ?? writeChanges(deps, started, reading),
    (error: unknown) => failureOf(deps, id, error),
  )
  if (reading.errors.length > 0 && !signal.aborted) await writeErrors(deps, started, reading.errors)
  const fault = failure ?? (await finish(deps, started, reading))
  if (fault !== null) await undoImport(deps, id, { failure: fault, counts: reading.counts, signal })
}

/** Writes all changes to existing records except the last ones; null on success. */
async function writeChanges(deps: ImportDeps, started: StartedImport, reading: ImportRun): Promise<string | null> {
  if (!started.plan.key) return null
  const applied = applyChanges(deps, started, reading.signal).then(async ({ last, refused }) => {
    const broken = await dryRunChanges(deps, started, last)
    const all = [...refused, ...broken]
    reading.last = last.filter(({ row }) => !broken.some((error) => error.row === row))
    reading.errors.push(...all)
    reading.counts = withoutRows(reading.counts, all)
    return failureIn(started, reading.counts)
  })
  return applied.then(undefined, (error: unknown) => failureOf(deps, started.item.id, error))
}

/** Counts rows as rejected instead of stored. */
function withoutRows(counts: ImportCounts, refused: readonly RowError[]): ImportCounts {
  // A row can have several errors.
  const rows = new Set(refused.map(({ row }) => row)).size
  return {
    ...counts,
    rowsStored: counts.rowsStored - rows,
    rowsUpdated: counts.rowsUpdated - rows,
    rowsRefused: counts.rowsRefused + rows,
    errors: [...counts.errors, ...refused.slice(0, Math.max(0, 100 - counts.errors.length))],
  }
}

const PROGRESS_INTERVAL_MS = 250

async function readAll(deps: ImportDeps, started: StartedImport, reading: ImportRun): Promise<void> {
  const { item, plan, form } = started
  let reportedAtMs = performance.now()
  const storer = batchStorer(deps, started, async ({ counts, refused }) => {
    reading.counts = counts
    for (const error of refused) reading.errors.push(error)
    if (reading.errors.length > MAX_ERRORS) throw new Problem('import-failed', TOO_MANY_ERRORS)
    if (performance.now() - reportedAtMs < PROGRESS_INTERVAL_MS) return
    // Key matches are reported only while the user may see them.
    await currentImporter(deps, started)
    await saveProgress(deps, started, counts)
    reportedAtMs = performance.now()
  })
  const file = csvPathOf(deps, item.id)
  const { dialect } = deps.database
  const { signal } = reading
  await runCsvTask({ type: 'read', file, form, plan, dialect }, { onBatch: storer.take, signal })
}

/** A separate write, because each batch would otherwise block other writers that read the import's progress. */
const saveProgress = (deps: ImportDeps, { item }: StartedImport, counts: ImportCounts): Promise<void> =>
  deps.database.write(async (transaction) => {
    const { progress } = await assertImportOwner(deps, transaction, item.id)
    const aliveAt = deps.clock().toISOString()
    await updateImport(transaction, item.id, { progress: { ...progress, ...counts, aliveAt } })
  })

const TOO_MANY_ERRORS =
  'More than 10,000 values have errors, so the rest of the file was not read. Check the column mapping.'

/** Why a file can't be imported although it was read completely; null if it can. */
function failureIn(
  { skipsBadRows }: StartedImport,
  { rowsRead, rowsStored, rowsRefused }: ImportCounts,
): string | null {
  if (rowsRefused === 0 || (skipsBadRows && rowsStored > 0)) return null
  const [refused, all] = [rowsRefused.toLocaleString('en'), rowsRead.toLocaleString('en')]
  return rowsRead === 1 ? 'The only row has errors.' : `${refused} of ${all} rows have errors.`
}

/** The message for the user; unexpected errors are logged. */
function failureOf(deps: ImportDeps, id: string, error: unknown): string {
  if (error instanceof Problem) return error.message
  deps.log.error({ err: error, import: id }, 'import failed')
  return 'The server couldn’t finish the import. Try again. If it happens again, contact your administrator.'
}

/** If writing the error file fails, the first errors are still shown. */
async function writeErrors(deps: ImportDeps, { item, form }: StartedImport, errors: RowError[]): Promise<void> {
  const [file, into] = [csvPathOf(deps, item.id), errorsPathOf(deps, item.id)]
  await runCsvTask({ type: 'refusals', file, form, errors, into }).then(undefined, (error: unknown) =>
    deps.log.warn({ err: error, import: item.id }, 'writing an import error file failed'),
  )
}

/** Completes the import in one short write; if a change is rejected, returns the reason. */
async function finish(deps: ImportDeps, started: StartedImport, reading: ImportRun): Promise<string | null> {
  const failure = await completeImport(deps, started, reading).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Problem) return error.message
      throw error
    },
  )
  if (failure === null) await removeFiles([csvPathOf(deps, started.item.id)])
  return failure
}

/** Publishes the rows and writes the change-log entry. */
async function completeImport(
  deps: ImportDeps,
  started: StartedImport,
  { last, counts: read }: ImportRun,
): Promise<void> {
  const { item, plan } = started
  const collection = plan.collection.id
  const importer = await currentImporter(deps, started)
  await commitChange(deps, importer, async (writing) => {
    const { transaction, at } = writing
    const { progress } = await assertImportOwner(deps, transaction, item.id)
    const { refused, changes, events } = await writeSome(deps, writing, started, last)
    const [first] = refused
    if (first && !started.skipsBadRows) throw new Problem('import-failed', `Row ${first.row}: ${first.message}`)
    const counts = withoutRows(read, refused)
    await updateImport(transaction, item.id, { state: 'done', endedAt: at, progress: { ...progress, ...counts } })
    await indexImport(writing, plan.collection, rowsOf(item))
    await notifyPendingImportsChanged(transaction)
    return {
      answer: undefined,
      changes: [
        ...changes,
        {
          kind: 'records-imported',
          collection,
          record: null,
          before: null,
          after: {
            import: item.id,
            fileName: item.fileName,
            count: counts.rowsStored - counts.rowsUpdated,
            ...(plan.key && { updated: counts.rowsUpdated }),
          },
        },
      ],
      changeSet: changeSetOf(item.id),
      events: [...events, { type: 'definitions-changed' }, { type: 'records-changed', collection, records: [] }],
    }
  })
}
