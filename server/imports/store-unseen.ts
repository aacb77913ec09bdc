import { holdsList } from '#domain/fields/field.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/database/database.ts'
import { insertPackedRows } from '#server/database/insert-rows.ts'
import { NOTHING_PICKED, alike } from '#server/database/picks.ts'
import { together } from '#server/database/together.ts'
import { columnOf, listTableOf, tableOf } from '#server/query/column-of.ts'
import type { RowBatch, RowError } from './csv-tasks.ts'
import type { ImportNeeds } from './import-needs.ts'
import { removeBroken } from './judge-rows.ts'
import type { Linked } from './link-rows.ts'
import { type NewColumn, keyColumns, numberColumns } from './new-columns.ts'
import { refuseLost } from './refuse-rows.ts'
import type { RowLayout } from './row-layout.ts'
import { deleteRows } from './rows-store.ts'
import type { StartedImport } from './started-import.ts'

/** The write in which a batch is stored. */
export type Storing = {
  readonly needs: ImportNeeds
  readonly transaction: Transaction
  readonly started: StartedImport
  readonly layout: RowLayout
}

/** What became of the rows of a batch. */
export type Stored = { readonly created: number; readonly updated: number; readonly refused: readonly RowError[] }

/**
 * Stores a batch of new rows as they came: packed, and seen by nobody on this thread. They are written while it is still
 * asked whether what they point at is there, as every way to the database and back keeps others waiting; a row that turns
 * out not to be allowed is taken out again.
 */
export async function storeUnseen(storing: Storing, batch: RowBatch, linked: Linked): Promise<Stored> {
  const { needs, transaction, started, layout } = storing
  const ids = batch.numbers.map(() => needs.newId())
  const kept = batch.numbers.length - linked.leftOut.size
  const counted = spread(await numberColumns(transaction, layout.counted, kept), linked)
  const [there] = await together(
    refuseLost(transaction, layout.pointers, linked),
    insert(storing, { batch, linked, ids, counted }),
  )
  const stays = (_: unknown, row: number): boolean => !there.leftOut.has(row)
  const lost = ids.filter((id, row) => !stays(id, row) && !linked.leftOut.has(row))
  if (lost.length > 0) await deleteRows(transaction, started.plan.collection.id, lost)
  const rest = { numbers: batch.numbers.filter(stays), ids: ids.filter(stays) }
  const broken = await removeBroken(needs, transaction, started, rest)
  return { created: rest.ids.length - broken.count, updated: 0, refused: [...there.refused, ...broken.refused] }
}

/** Cells that were made for the rows that are stored, with room for the others. */
function spread(columns: readonly NewColumn[], { numbers, leftOut }: Linked): readonly NewColumn[] {
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
  readonly counted: readonly NewColumn[]
}

function insert({ transaction, started, layout }: Storing, { batch, linked, ids, counted }: Insertion): Promise<void> {
  const pointers = layout.pointers.map((field, at) => ({ field, picks: linked.pointed[at] ?? NOTHING_PICKED }))
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
      ...layout.listTables.map((table, at) => ({ table, picks: batch.lists[at] ?? NOTHING_PICKED })),
      ...layout.lists.map(({ table, values }) => ({ table, picks: alike(values, ids.length) })),
    ],
  })
}
