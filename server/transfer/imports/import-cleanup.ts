import { cancelWaiting } from './cancel-import.ts'
import { type ImportDeps, STOPPING } from './import-deps.ts'
import { isRunnerGone } from '#server/records/jobs/job-runner.ts'
import { areStale, removeFiles, stagedFiles } from './staged-files.ts'
import { findImport, importsIn } from './store.ts'
import type { StoredImport } from './stored-import.ts'
import { undoImport } from './changes/undo-import.ts'

const POLL_INTERVAL_MS = 60_000
/** Retention of CSV files that haven't been imported, and of error files for download. */
const FILE_RETENTION_MS = 24 * 60 * 60 * 1000

export type ImportCleanup = {
  /** Undoes imports left by crashed processes, at startup and periodically. */
  readonly start: () => Promise<void>
  /** Stops the imports of this process; the next process removes the data they wrote. */
  readonly stop: () => Promise<void>
}

/** Undoes abandoned imports and deletes unneeded files. */
export function createImportCleanup(deps: ImportDeps): ImportCleanup {
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  const look = (): void => {
    looking = looking
      .then(() => undoAbandonedImports(deps))
      .then(() => sweepFiles(deps))
      .then(undefined, (error: unknown) => deps.log.error({ err: error }, 'import runner failed'))
  }
  return {
    start: async () => {
      look()
      timer = setInterval(look, POLL_INTERVAL_MS).unref()
    },
    stop: async () => {
      clearInterval(timer)
      for (const { abort } of deps.runs.values()) abort.abort(STOPPING)
      await looking
      for (const { abort } of deps.runs.values()) abort.abort(STOPPING)
      await Promise.all([...deps.runs.values()].map((run) => run.over))
    },
  }
}

async function undoAbandonedImports(deps: ImportDeps): Promise<void> {
  const underWay = await importsIn(deps.database.read, ['running', 'undoing'])
  for (const item of underWay) {
    if (!deps.runs.has(item.id) && (await isRunnerGone(deps, item.progress))) undoInBackground(deps, item)
  }
}

function undoInBackground(deps: ImportDeps, { id, fileName }: StoredImport): void {
  deps.log.warn({ import: id }, 'undoing an interrupted import')
  const abort = new AbortController()
  const failure = `The import of ${fileName} was interrupted: the server stopped or couldn’t write. Start the import again.`
  const over = undoImport(deps, id, { failure, signal: abort.signal })
    .then(undefined, (error: unknown) => deps.log.error({ err: error, import: id }, 'undoing an import failed'))
    .finally(() => deps.runs.delete(id))
  deps.runs.set(id, { abort, over })
}

type SweepDeps = Pick<ImportDeps, 'database' | 'clock' | 'dataFolder'>

/** Deletes files of finished imports and files not imported within a day. */
export async function sweepFiles(deps: SweepDeps): Promise<void> {
  for (const [id, paths] of await stagedFiles(deps)) {
    const item = await findImport(deps.database.read, id)
    const outcome = item
      ? cleanupActionFor(item, deps.clock())
      : // The file is still being received or belongs to another database, so it is kept for the usual time.
        (await areStale(id, paths, FILE_RETENTION_MS))
        ? 'remove'
        : 'keep'
    if (outcome === 'keep') continue
    if (outcome === 'give-up') await cancelWaiting(deps, id, ['ready'])
    else await removeFiles(paths)
  }
}

function cleanupActionFor(item: StoredImport, now: Date): 'keep' | 'remove' | 'give-up' {
  if (item.state === 'running' || item.state === 'undoing') return 'keep'
  const since = Date.parse(item.endedAt ?? item.createdAt)
  if (now.getTime() - since < FILE_RETENTION_MS) return 'keep'
  return item.state === 'ready' ? 'give-up' : 'remove'
}
