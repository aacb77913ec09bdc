import { holdsList } from '#domain/fields/field.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { insertPackedRows } from '#server/platform/database/rows/insert-rows.ts'
import { NO_LISTS, sameForAllRows } from '#server/platform/database/rows/dictionary-lists.ts'
import { awaitAll } from '#server/platform/database/scheduling/await-all.ts'
import { columnOf, listTableOf, tableOf } from '#server/query/sql/sql-context.ts'
import type { RowBatch, RowError } from '#server/transfer/imports/csv/csv-tasks.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { removeRuleViolations } from '#server/transfer/imports/checks/check-rules.ts'
import type { Linked } from './link-rows.ts'
import { type ColumnValues, type RowLayout, keyColumns, numberColumns } from './row-layout.ts'
import { rejectRemovedTargets } from '#server/transfer/imports/checks/check-rows.ts'
import { deleteRows } from './rows-store.ts'
import type { StartedImport } from '#server/transfer/imports/stored-import.ts'

export type BatchWrite = {
  readonly deps: ImportDeps
  readonly transaction: Transaction
  readonly started: StartedImport
  readonly layout: RowLayout
}

export type BatchResult = { readonly created: number; readonly updated: number; readonly refused: readonly RowError[] }

/**
 * Inserts a packed batch without decoding it on the main thread, while references are verified in parallel; invalid
 * rows are deleted afterwards.
 */
export async function insertHiddenBatch(storing: BatchWrite, batch: RowBatch, linked: Linked): Promise<BatchResult> {
  const { deps, transaction, started, layout } = storing
  const ids = batch.numbers.map(() => deps.newId())
  const kept = batch.numbers.length - linked.leftOut.size
  const counted = alignColumns(await numberColumns(transaction, layout.counted, kept), linked)
  const [there] = await awaitAll(
    rejectRemovedTargets(transaction, layout.pointers, linked),
    insert(storing, { batch, linked, ids, counted }),
  )
  const stays = (_: unknown, row: number): boolean => !there.leftOut.has(row)
  const lost = ids.filter((id, row) => !stays(id, row) && !linked.leftOut.has(row))
  if (lost.length > 0) await deleteRows(transaction, started.plan.collection.id, lost)
  const rest = { numbers: batch.numbers.filter(stays), ids: ids.filter(stays) }
  const broken = await removeRuleViolations(deps, transaction, started, rest)
  return { created: rest.ids.length - broken.count, updated: 0, refused: [...there.refused, ...broken.refused] }
}

/** Aligns cells generated for the stored rows with the batch, which also has rejected ones. */
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

function insert(
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
