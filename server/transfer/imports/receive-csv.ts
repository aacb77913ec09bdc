import type { Readable } from 'node:stream'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { KnownFormat } from '#domain/imports/detect-format.ts'
import { Problem } from '#domain/shared/problem.ts'
import { cancelWaiting } from './cancel-import.ts'
import { runCsvTask } from './csv/run-csv-task.ts'
import type { ImportDeps } from './import-deps.ts'
import { csvPathOf, isThere, MAX_CSV_BYTES, removingOnFailure, stageCsv } from './staged-files.ts'
import { insertImport, listUserImports } from './store.ts'
import { NO_PROGRESS, type StoredImport } from './stored-import.ts'

type Deps = Pick<ImportDeps, 'database' | 'clock' | 'dataFolder' | 'receiving'>

/** Maximum number of concurrent CSV transfers per user. */
const MAX_RECEIVING = 2

/** Maximum number and size of pending CSV files per user; the oldest are deleted to make room for new ones. */
const MAX_STAGED = 10
const MAX_STAGED_BYTES = 2 * MAX_CSV_BYTES

/** Limits a user's concurrent CSV transfers; the system has no limit. */
export async function withUploadSlot<Staged>(
  deps: Deps,
  actor: Actor,
  receive: () => Promise<Staged>,
): Promise<Staged> {
  const userId = userIdOf(actor)
  if (userId === null) return receive()
  const others = deps.receiving.get(userId) ?? 0
  if (others >= MAX_RECEIVING) {
    throw new Problem(
      'too-many-requests',
      `You are already uploading ${MAX_RECEIVING} CSV files. Wait until one has finished.`,
      {
        retryAfterSeconds: 10,
      },
    )
  }
  deps.receiving.set(userId, others + 1)
  try {
    const staged = await receive()
    await discardOldest(deps, userId)
    return staged
  } finally {
    const left = (deps.receiving.get(userId) ?? 1) - 1
    if (left === 0) deps.receiving.delete(userId)
    else deps.receiving.set(userId, left)
  }
}

/** Cancels a user's oldest pending imports until the rest fit the limits; keeps the newest. */
async function discardOldest(deps: Deps, userId: string): Promise<void> {
  const [newest, ...older] = (await listUserImports(deps.database.read, userId)).toReversed()
  let count = 1
  let bytes = newest?.bytes ?? 0
  for (const item of older) {
    if (!(await isThere(csvPathOf(deps, item.id)))) continue
    count += 1
    bytes += item.bytes
    if (count > MAX_STAGED || bytes > MAX_STAGED_BYTES) await cancelWaiting(deps, item.id, ['ready', 'failed'])
  }
}

export type IncomingCsv = {
  readonly fileName: string
  readonly body: Readable
  readonly known?: KnownFormat
  /** Limits the inspected rows if field types are already known. */
  readonly maxRows?: number
}

/** Receives and inspects a CSV, so that its import can be started. An unreadable file leaves nothing behind. */
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
  const { known = {}, maxRows } = incoming
  const look = await runCsvTask({ type: 'look', file, known, maxRows })
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

/** The file name without folders. */
const plainName = (name: string): string => name.split(/[/\\]/).at(-1)?.trim() || 'import.csv'
