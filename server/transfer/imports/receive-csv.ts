import type { Readable } from 'node:stream'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { KnownFormat } from '#domain/imports/detect-format.ts'
import type { ImportDeps } from './import-deps.ts'
import { runCsvTask } from './csv/run-csv-task.ts'
import { csvPathOf, removingOnFailure, stageCsv } from './staging/staged-files.ts'
import { withUploadSlot } from './staging/staging-limits.ts'
import { insertImport } from './store.ts'
import { NO_PROGRESS, type StoredImport } from './stored-import.ts'

export type IncomingCsv = {
  readonly fileName: string
  readonly body: Readable
  readonly known?: KnownFormat
  /** Limits inspection when field types are already known. */
  readonly mostRows?: number
}

/** Receives and inspects a CSV; it then waits to be started. An unreadable file leaves nothing behind. */
export async function receiveCsv(deps: ImportDeps, actor: Actor, incoming: IncomingCsv): Promise<StoredImport> {
  return withUploadSlot(deps, actor, async () => {
    const id = deps.newId()
    const file = csvPathOf(deps, id)
    const bytes = await stageCsv(deps, id, incoming.body)
    return removingOnFailure([file], saveInspection(deps, actor, { id, file, bytes, incoming }))
  })
}

type Staged = {
  readonly id: string
  readonly file: string
  readonly bytes: number
  readonly incoming: IncomingCsv
}

async function saveInspection(deps: ImportDeps, actor: Actor, staged: Staged): Promise<StoredImport> {
  const { id, file, bytes, incoming } = staged
  const { known = {}, mostRows } = incoming
  const look = await runCsvTask({ type: 'look', file, known, mostRows })
  const item: StoredImport = {
    id,
    userId: userIdOf(actor),
    fileName: plainName(incoming.fileName),
    bytes,
    state: 'ready',
    collection: null,
    madeCollection: false,
    look,
    progress: NO_PROGRESS,
    failure: null,
    createdAt: deps.clock().toISOString(),
    endedAt: null,
  }
  await deps.database.write((transaction) => insertImport(transaction, item))
  return item
}

/** Without folders. */
const plainName = (name: string): string => name.split(/[/\\]/).at(-1)?.trim() || 'import.csv'
