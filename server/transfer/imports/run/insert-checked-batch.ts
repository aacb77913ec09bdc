import { holdsList } from '#domain/fields/field.ts'
import type { CellValue } from '#server/platform/database/database.ts'
import { insertRows, LIST_COLUMNS } from '#server/platform/database/rows/insert-rows.ts'
import { columnOf, listTableOf, tableOf } from '#server/query/sql/column-names.ts'
import { restrictedRows } from '#server/transfer/imports/checks/restricted-fields.ts'
import type { RowBatch } from '#server/transfer/imports/csv/csv-tasks.ts'
import { removeRuleViolations } from '#server/transfer/imports/checks/check-rules.ts'
import { type CandidateRow, type Linked, candidatesOf } from './link-rows.ts'
import { keyColumns, numberColumns } from './new-columns.ts'
import { rejectDuplicates, rejectRemovedTargets } from '#server/transfer/imports/checks/check-rows.ts'
import type { RowLayout } from './row-layout.ts'
import { type Staged, type Staging, stageUpdates } from '#server/transfer/imports/changes/stage-changes.ts'
import type { BatchResult, BatchWrite } from './insert-hidden-batch.ts'

/** Stores a batch whose rows must be looked into: a key tells whether they are new, or a value may be there only once. */
export async function insertCheckedBatch(storing: BatchWrite, batch: RowBatch, linked: Linked): Promise<BatchResult> {
  const { needs, transaction, started, layout } = storing
  const { plan } = started
  const there = await rejectRemovedTargets(transaction, layout.pointers, linked)
  const staged = await stagedOf(storing, candidatesOf(batch, there))
  if (plan.key) fillStatuses(layout, staged.candidates)
  const unique = { columns: layout.columns, collection: plan.collection, brought: layout.shape.brought }
  const fitting = await rejectDuplicates(transaction, unique, staged.candidates)
  const rows = fitting.candidates
  const ids = rows.map(() => needs.newId())
  await insert(storing, rows, ids)
  const numbers = rows.map(({ number }) => number)
  const broken = await removeRuleViolations(needs, transaction, started, { numbers, ids })
  return {
    created: rows.length - broken.count,
    updated: staged.updated,
    refused: [there, staged, fitting, broken].flatMap(({ refused }) => refused),
  }
}

/** What rows come to under a key; without one all of them are new. */
async function stagedOf(
  { needs, transaction, started, layout }: BatchWrite,
  candidates: readonly CandidateRow[],
): Promise<Staged> {
  const { actor, plan } = started
  if (!plan.key) return { candidates, refused: [], updated: 0 }
  const definitions = await needs.definitions.within(transaction)
  const inside = { transaction, definitions, actor, at: needs.clock().toISOString() }
  const staging: Staging = {
    transaction,
    started,
    key: plan.key,
    shape: layout.shape,
    pending: [...definitions.pendingImports],
    closed: (brought) => restrictedRows(inside, plan.collection, brought),
  }
  return stageUpdates(staging, candidates)
}

/** A new record has a state, also where its row names none. */
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
