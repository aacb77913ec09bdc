import { holdsList } from '#domain/fields/field.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { awaitAll } from '#server/platform/concurrency/async-helpers.ts'
import { type BatchQueue, createBatchQueue } from '#server/platform/concurrency/batch-queue.ts'
import type { CellValue, Transaction } from '#server/platform/database/database.ts'
import { NO_LISTS, sameForAllRows } from '#server/platform/database/rows/dictionary-lists.ts'
import { insertPackedRows, insertRows, LIST_COLUMNS } from '#server/platform/database/rows/insert-rows.ts'
import { columnOf, listTableOf, tableOf } from '#server/query/sql/sql-context.ts'
import { type Staged, stageUpdates, type Staging } from '#server/transfer/imports/changes/stage-changes.ts'
import { rejectDuplicates, rejectRemovedTargets } from '#server/transfer/imports/checks/check-rows.ts'
import { removeRuleViolations } from '#server/transfer/imports/checks/check-rules.ts'
import { restrictedRows } from '#server/transfer/imports/checks/restricted-fields.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import type { RowBatch } from '#server/transfer/imports/csv/csv-tasks.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { type LockedImport, lockImportProgress } from '#server/transfer/imports/store.ts'
import { type ImportCounts, NO_COUNTS, type StartedImport } from '#server/transfer/imports/stored-import.ts'
import { type CandidateRow, candidatesOf, createRowLinker, type Linked } from './link-rows.ts'
import { type ColumnValues, createRowLayout, keyColumns, numberColumns, type RowLayout } from './row-layout.ts'
import { deleteRows } from './rows-store.ts'

type BatchWrite = {
  readonly deps: ImportDeps
  readonly transaction: Transaction
  readonly started: StartedImport
  readonly layout: RowLayout
}

type BatchResult = { readonly created: number; readonly updated: number; readonly refused: readonly RowError[] }

/** Inserts a packed batch without unpacking it and verifies its references concurrently, then deletes invalid rows. */
async function insertHiddenBatch(storing: BatchWrite, batch: RowBatch, linked: Linked): Promise<BatchResult> {
  const { deps, transaction, started, layout } = storing
  const ids = batch.numbers.map(() => deps.newId())
  const kept = batch.numbers.length - linked.leftOut.size
  const counted = alignColumns(await numberColumns(transaction, layout.counted, kept), linked)
  const [there] = await awaitAll(
    rejectRemovedTargets(transaction, layout.pointers, linked),
    insertHidden(storing, { batch, linked, ids, counted }),
  )
  const stays = (_: unknown, row: number): boolean => !there.leftOut.has(row)
  const lost = ids.filter((id, row) => !stays(id, row) && !linked.leftOut.has(row))
  if (lost.length > 0) await deleteRows(transaction, started.plan.collection.id, lost)
  const rest = { numbers: batch.numbers.filter(stays), ids: ids.filter(stays) }
  const broken = await removeRuleViolations(deps, transaction, started, rest)
  return { created: rest.ids.length - broken.count, updated: 0, refused: [...there.refused, ...broken.refused] }
}

/** Aligns cells generated for the stored rows with the batch, which also contains rejected rows. */
function alignColumns(columns: readonly ColumnValues[], { numbers, leftOut }: Linked): readonly ColumnValues[] {
  if (leftOut.size === 0) return columns
  return columns.map(({ name, cells }) => {
    let next = -1
    return {
      name,
      cells: numbers.map((_, row) => {
        if (leftOut.has(row)) return null
        next += 1
        return cells[next] ?? null
      }),
    }
  })
}

type Insertion = {
  readonly batch: RowBatch
  readonly linked: Linked
  readonly ids: readonly RecordId[]
  readonly counted: readonly ColumnValues[]
}

function insertHidden(
  { transaction, started, layout }: BatchWrite,
  { batch, linked, ids, counted }: Insertion,
): Promise<void> {
  const pointers = layout.pointers.map((field, at) => ({ field, picks: linked.pointed[at] ?? NO_LISTS }))
  const single = pointers.filter(({ field }) => !holdsList(field))
  const several = pointers.filter(({ field }) => holdsList(field))
  return insertPackedRows(transaction, {
    table: tableOf(started.plan.collection.id),
    packed: batch.packed,
    count: ids.length,
    leftOut: linked.leftOut,
    packedColumns: layout.columns,
    columns: [
      ...single.map(({ field, picks }) => ({ name: columnOf(field.id), cells: picks })),
      ...counted,
      ...keyColumns(ids, transaction.dialect),
    ],
    constants: layout.constants,
    owners: ids,
    lists: [
      ...several.map(({ field, picks }) => ({ table: listTableOf(field.id), picks })),
      ...layout.listTables.map((table, at) => ({ table, picks: batch.lists[at] ?? NO_LISTS })),
      ...layout.lists.map(({ table, values }) => ({ table, picks: sameForAllRows(values, ids.length) })),
    ],
  })
}

/** Throws if the import was canceled or is being undone. Runs inside each write, so that no write follows an undo. */
export async function assertImportOwner(deps: ImportDeps, transaction: Transaction, id: string): Promise<LockedImport> {
  const held = await lockImportProgress(transaction, id)
  if (held?.state === 'running' && held.progress.runner?.token === deps.self.token) return held
  throw new Problem('import-failed', 'The import was stopped by another process.')
}

/** Stores a batch whose rows must be unpacked because of a key or a unique field. */
async function insertCheckedBatch(storing: BatchWrite, batch: RowBatch, linked: Linked): Promise<BatchResult> {
  const { deps, transaction, started, layout } = storing
  const { plan } = started
  const there = await rejectRemovedTargets(transaction, layout.pointers, linked)
  const staged = await stagedOf(storing, candidatesOf(batch, there), batch.missing)
  if (plan.key) fillStatuses(layout, staged.candidates)
  const { columns, pointers, shape } = layout
  const unique = { columns, pointers, collection: plan.collection, brought: shape.brought }
  const fitting = await rejectDuplicates(transaction, unique, staged.candidates)
  const rows = fitting.candidates
  const ids = rows.map(() => deps.newId())
  await insert(storing, rows, ids)
  const numbers = rows.map(({ number }) => number)
  const broken = await removeRuleViolations(deps, transaction, started, { numbers, ids })
  return {
    created: rows.length - broken.count,
    updated: staged.updated,
    refused: [there, staged, fitting, broken].flatMap(({ refused }) => refused),
  }
}

/** Without a key, all rows are new. */
async function stagedOf(
  { deps, transaction, started, layout }: BatchWrite,
  candidates: readonly CandidateRow[],
  missing: readonly RowError[],
): Promise<Staged> {
  const { actor, plan } = started
  if (!plan.key) return { candidates, refused: [], updated: 0 }
  const definitions = await deps.definitions.within(transaction)
  const inside = { transaction, definitions, actor, at: deps.clock().toISOString() }
  const staging: Staging = {
    transaction,
    started,
    key: plan.key,
    shape: layout.shape,
    pending: [...definitions.pendingImports],
    closed: (brought) => restrictedRows(inside, plan.collection, brought),
  }
  return withoutIncomplete(await stageUpdates(staging, candidates), missing)
}

/** Rejects new records that would lack required values. */
function withoutIncomplete(staged: Staged, missing: readonly RowError[]): Staged {
  if (missing.length === 0) return staged
  const created = new Set(staged.candidates.map(({ number }) => number))
  const refused = missing.filter(({ row }) => created.has(row))
  const incomplete = new Set(refused.map(({ row }) => row))
  const candidates = staged.candidates.filter(({ number }) => !incomplete.has(number))
  return { ...staged, candidates, refused: [...staged.refused, ...refused] }
}

/** New records get a status even if their row contains none. */
function fillStatuses({ states }: RowLayout, candidates: readonly CandidateRow[]): void {
  for (const { row } of states.length > 0 ? candidates : []) for (const { at, first } of states) row[at] ??= first
}

async function insert(
  { transaction, started, layout }: BatchWrite,
  rows: readonly CandidateRow[],
  ids: readonly string[],
): Promise<void> {
  const { dialect } = transaction
  const pointers = layout.pointers.map((field, at) => ({ field, idsOf: (row: CandidateRow) => row.ids[at] ?? [] }))
  const behind = [
    ...pointers
      .filter(({ field }) => !holdsList(field))
      .map(({ field, idsOf }) => ({ name: columnOf(field.id), cells: rows.map((row) => idsOf(row)[0] ?? null) })),
    ...(await numberColumns(transaction, layout.counted, rows.length)),
    ...keyColumns(ids, dialect),
  ]
  await insertRows(transaction, {
    table: tableOf(started.plan.collection.id),
    columns: [...layout.columns, ...behind.map(({ name }) => name)],
    rows: rows.map(({ row }, at) => [...row, ...behind.map(({ cells }) => cells[at] ?? null)]),
    constants: layout.constants,
  })
  const lists = [
    ...pointers
      .filter(({ field }) => holdsList(field))
      .map(({ field, idsOf }) => ({ table: listTableOf(field.id), of: idsOf })),
    ...layout.listTables.map((table, at) => ({ table, of: ({ lists: brought }: CandidateRow) => brought[at] ?? [] })),
    ...layout.lists.map(({ table, values }) => ({ table, of: () => values })),
  ]
  for (const { table, of } of lists) {
    const entries = rows.flatMap((row, at) =>
      of(row).map((value, position): CellValue[] => [ids[at] ?? null, position, value]),
    )
    await insertRows(transaction, { table, columns: LIST_COLUMNS, rows: entries })
  }
}

type StoredBatches = { readonly counts: ImportCounts; readonly refused: readonly RowError[] }

/** Maximum number of errors returned by the API; the error file contains all of them. */
const ERRORS_SHOWN = 100

/** Limits per write, so that other writers don't wait long. */
const MAX_BATCHES_PER_WRITE = 4
const MAX_WRITE_MS = 25

type Prepared = { readonly batch: RowBatch; readonly linked: Linked }

/** Stores rows as they are read, in short writes. */
export function batchStorer(
  deps: ImportDeps,
  started: StartedImport,
  whenStored: (stored: StoredBatches) => Promise<void>,
): BatchQueue<RowBatch> {
  const layout = createRowLayout(deps, started)
  const link = createRowLinker(deps, started.actor, layout.pointers)
  let counts = NO_COUNTS
  return createBatchQueue<RowBatch, Prepared>({
    prepare: async (batch) => ({ batch, linked: await link(batch) }),
    handle: async (batches) => {
      const work = async (transaction: Transaction) => {
        const startedAtMs = performance.now()
        const parts = await storeAll({ deps, transaction, started, layout }, batches)
        return { stored: parts, tookMs: performance.now() - startedAtMs }
      }
      const { stored, tookMs } = await deps.database.write(work, { isLong: true })
      const refused = batches.flatMap(({ batch }, at) => {
        const errors = [...batch.refused, ...(stored[at]?.refused ?? [])]
        counts = addCounts(counts, batch, { created: 0, updated: 0, ...stored[at], refused: errors })
        return errors
      })
      await whenStored({ counts, refused })
      return { tookMs }
    },
    max: MAX_BATCHES_PER_WRITE,
    longestMs: MAX_WRITE_MS,
  })
}

async function storeAll(storing: BatchWrite, batches: readonly Prepared[]): Promise<readonly BatchResult[]> {
  const { deps, transaction, started, layout } = storing
  const allowed = awaitAll(
    assertImportOwner(deps, transaction, started.item.id),
    assertDefinitionUnchanged(deps, transaction, started.plan.collection),
  )
  if (!layout.seesCells && transaction.dialect === 'sqlite') {
    // Statements are sent together to save round trips.
    const stored = awaitAll(...batches.map(({ batch, linked }) => insertHiddenBatch(storing, batch, linked)))
    return (await awaitAll(allowed, stored))[1]
  }
  // Runs sequentially, because after a failed statement PostgreSQL rejects all others in the transaction, and checks
  // must see rows stored earlier.
  await allowed
  const stored: BatchResult[] = []
  const store = layout.seesCells ? insertCheckedBatch : insertHiddenBatch
  for (const { batch, linked } of batches) stored.push(await store(storing, batch, linked))
  return stored
}

/** Throws if the definition has changed, because the import's columns could have another meaning. */
export async function assertDefinitionUnchanged(
  deps: ImportDeps,
  transaction: Transaction,
  { id, label, version }: StartedImport['plan']['collection'],
): Promise<void> {
  const definitions = await deps.definitions.within(transaction)
  if (definitions.byId.get(id)?.version === version) return
  throw new Problem('import-failed', `${label} was changed during the import. Start the import again.`)
}

function addCounts(before: ImportCounts, batch: RowBatch, { created, updated, refused }: BatchResult): ImportCounts {
  const stored = created + updated
  const room = ERRORS_SHOWN - before.errors.length
  return {
    ...before,
    bytesRead: batch.bytesRead,
    rowsRead: batch.rowsRead,
    rowsStored: before.rowsStored + stored,
    rowsUpdated: before.rowsUpdated + updated,
    rowsRefused: before.rowsRefused + (batch.rowsRead - before.rowsRead - stored),
    errors: room > 0 && refused.length > 0 ? [...before.errors, ...refused.slice(0, room)] : before.errors,
  }
}
