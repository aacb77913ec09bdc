import { userIdOf } from '#domain/access/actor.ts'
import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { startingValue } from '#domain/fields/kinds.ts'
import { type PointerField, rowReader } from '#domain/imports/row-to-values.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { CellValue, RowBehind, Transaction } from '#server/database/database.ts'
import { insertPackedRows, insertRows } from '#server/database/insert-rows.ts'
import { SYSTEM_COLUMNS, columnOf, listTableOf, tableOf } from '#server/query/column-of.ts'
import { takeNumbers } from '#server/records/auto-numbers.ts'
import { keyCells } from '#server/records/key-cells.ts'
import { cellsIn, columnsOfField } from '#server/records/values-and-row.ts'
import { closedRows } from './closed-rows.ts'
import type { RowBatch, RowError } from './csv-tasks.ts'
import type { ImportNeeds } from './import-needs.ts'
import { removeBroken } from './judge-rows.ts'
import { type Candidate, linker } from './link-rows.ts'
import { refuseDuplicates, refuseLost } from './refuse-rows.ts'
import { fieldsInRow } from './rows-to-cells.ts'
import { type RowShape, type Staged, type Staging, stageUpdates } from './stage-changes.ts'
import type { StartedImport } from './started-import.ts'
import { refuseStranger } from './still-mine.ts'
import type { ImportCounts } from './stored-import.ts'

/** What became of a batch: how far the import is, and which rows were refused. */
export type StoredBatch = { readonly counts: ImportCounts; readonly refused: readonly RowError[] }

/** Stores the rows of one import, batch by batch. */
export type BatchStorer = {
  readonly store: (batch: RowBatch, before: ImportCounts) => Promise<StoredBatch>
}

/** Errors that are shown without the error file. */
const ERRORS_SHOWN = 100

/** The columns of the table in the order in which rows bring their cells, and what must be known of some. */
type Layout = {
  readonly columns: readonly string[]
  /** Whether anything depends on those cells here, so that the rows must be unpacked. */
  readonly seesCells: boolean
  /** What every row has alike: who made it, when, by which import. */
  readonly constants: { readonly [column: string]: string | number | null }
  readonly pointers: readonly PointerField[]
  /** Fields that count. */
  readonly counted: readonly Field<'auto-number'>[]
  /** Tables of lists that differ from row to row, as the reader hands them over. */
  readonly listTables: readonly string[]
  /** Where rows bring the values of fields; for records that are there. */
  readonly shape: RowShape
  /** States, with what a new record that names none gets. */
  readonly states: readonly { readonly at: number; readonly first: CellValue }[]
  /** Lists that every row gets: defaults. */
  readonly lists: readonly { readonly table: string; readonly values: readonly RecordId[] }[]
}

/** Makes the storer of an import. Every batch is a short write of its own, so nobody waits long for it. */
export function batchStorer(needs: ImportNeeds, started: StartedImport): BatchStorer {
  const { item, plan } = started
  const layout = layoutOf(needs, started)
  const { key } = plan
  const link = linker(needs, started.actor, layout)

  const store = async (batch: RowBatch, before: ImportCounts): Promise<StoredBatch> => {
    const linked = await link(batch)
    return needs.database.write(async (transaction) => {
      // What does not wait for each other is asked together: every way to the database and back keeps others waiting.
      await Promise.all([
        refuseStranger(needs, transaction, item.id),
        refuseChanged(needs, transaction, plan.collection),
      ])
      const there = await refuseLost(transaction, layout.pointers, linked.candidates)
      const staged = await stagedOf({ needs, transaction, started, shape: layout.shape }, there.candidates)
      if (key) fillStates(layout, staged.candidates)
      const unique = { ...layout, collection: plan.collection, brought: layout.shape.brought }
      const fitting = await refuseDuplicates(transaction, unique, staged.candidates)
      const ids = await insert(transaction, needs, { layout, started, batch, rows: fitting.candidates })
      const lawful = await removeBroken(needs, transaction, started, { candidates: fitting.candidates, ids })
      const refused = [batch, linked, there, staged, fitting, lawful].flatMap((part) => part.refused)
      const { updated } = staged
      const counts = advanced(before, batch, { created: lawful.candidates.length, updated, refused })
      return { counts, refused }
    })
  }
  return { store }
}

type Storing = {
  readonly needs: ImportNeeds
  readonly transaction: Transaction
  readonly started: StartedImport
  readonly shape: RowShape
}

/** What rows come to under a key; without one all of them are new. */
async function stagedOf(
  { needs, transaction, started, shape }: Storing,
  candidates: readonly Candidate[],
): Promise<Staged> {
  const { actor, plan } = started
  if (!plan.key) return { candidates, refused: [], updated: 0 }
  const definitions = await needs.definitions.within(transaction)
  const inside = { transaction, definitions, actor, at: needs.clock().toISOString() }
  const staging: Staging = {
    transaction,
    started,
    key: plan.key,
    shape,
    pending: [...definitions.pendingImports],
    closed: (brought) => closedRows(inside, plan.collection, brought),
  }
  return stageUpdates(staging, candidates)
}

function layoutOf(needs: ImportNeeds, { item, actor, plan, at }: StartedImport): Layout {
  const { dialect } = needs.database
  const userId = userIdOf(actor)
  const reader = rowReader(plan)
  const { fields, pointers, lists, broughtCount } = reader
  const counted = plan.collection.fields.filter((field) => field.kind === 'auto-number')
  const columns = fieldsInRow(reader).flatMap(columnsOfField)
  const states = fields.filter((field) => field.kind === 'state')
  return {
    columns,
    seesCells: plan.key !== undefined || plan.collection.fields.some((field) => field.unique),
    constants: {
      [SYSTEM_COLUMNS.version]: 1,
      [SYSTEM_COLUMNS.createdAt]: at,
      [SYSTEM_COLUMNS.createdBy]: userId,
      [SYSTEM_COLUMNS.updatedAt]: at,
      [SYSTEM_COLUMNS.updatedBy]: userId,
      [SYSTEM_COLUMNS.importId]: item.id,
    },
    counted,
    listTables: lists.map((field) => listTableOf(field.id)),
    pointers,
    shape: { columns, pointers, lists, brought: fields.slice(0, broughtCount) },
    states: states.map((field) => ({
      at: columns.indexOf(columnOf(field.id)),
      first: cellsIn(field, startingValue(field), dialect)[0] ?? null,
    })),
    lists: fields
      .filter((field) => holdsList(field) && ![...pointers, ...lists].some((brought) => brought.id === field.id))
      .map((field) => ({ table: listTableOf(field.id), values: idsIn(field.default) })),
  }
}

const idsIn = (value: FieldValue): RecordId[] => (Array.isArray(value) ? value.map(String) : [])

/** A new record has a state, also where its row names none. */
function fillStates({ states }: Layout, candidates: readonly Candidate[]): void {
  for (const { row } of states.length > 0 ? candidates : []) for (const { at, first } of states) row[at] ??= first
}

/** A definition that changes under an import would leave it with columns that mean something else. */
export async function refuseChanged(
  needs: ImportNeeds,
  transaction: Transaction,
  { id, label, version }: StartedImport['plan']['collection'],
): Promise<void> {
  const definitions = await needs.definitions.within(transaction)
  if (definitions.byId.get(id)?.version === version) return
  throw new Problem('import-failed', `${label} was changed while the import ran. Start it again.`)
}

type Insertion = {
  readonly layout: Layout
  readonly batch: RowBatch
  readonly started: StartedImport
  readonly rows: readonly Candidate[]
}

/** Stores new rows; answers their ids, in the order of the rows. */
async function insert(
  transaction: Transaction,
  needs: ImportNeeds,
  { layout, started, batch, rows }: Insertion,
): Promise<readonly RecordId[]> {
  const ids = rows.map(() => needs.newId())
  const keys = ids.map((id) => keyCells(id, transaction.dialect))
  const numbers = await numbersFor(transaction, layout.counted, rows.length)
  const single = layout.pointers.flatMap((field, at) => (holdsList(field) ? [] : [{ field, at }]))
  const columnsBehind = [
    ...single.map(({ field }) => columnOf(field.id)),
    ...layout.counted.flatMap(columnsOfField),
    ...Object.keys(keyCells('', transaction.dialect)),
  ]
  const cellsBehind = rows.map(({ ids }, at) => [
    ...single.map(({ at: pointer }) => ids[pointer]?.[0] ?? null),
    ...numbers(at),
    ...Object.values(keys[at] ?? {}),
  ])
  await insertCells(transaction, { layout, started, batch, rows }, { columnsBehind, cellsBehind })

  const given = layout.pointers.flatMap((field, at) =>
    holdsList(field) ? [{ table: listTableOf(field.id), of: ({ ids }: Candidate) => ids[at] ?? [] }] : [],
  )
  const brought = layout.listTables.map((name, at) => ({ table: name, of: ({ lists }: Candidate) => lists[at] ?? [] }))
  const constant = layout.lists.map(({ table: name, values }) => ({ table: name, of: () => values }))
  for (const list of [...given, ...brought, ...constant]) {
    const entries = rows.flatMap((candidate, at) =>
      list.of(candidate).map((value, position): CellValue[] => [keys[at]?.['id'] ?? null, position, value]),
    )
    await insertRows(transaction, { table: list.table, columns: ['record_id', 'position', 'value'], rows: entries })
  }
  return ids
}

type Behind = { readonly columnsBehind: readonly string[]; readonly cellsBehind: readonly CellValue[][] }

/** The rows themselves: as they came, unless somebody had to look into them and may have changed them. */
function insertCells(
  transaction: Transaction,
  { layout, started, batch, rows }: Insertion,
  { columnsBehind, cellsBehind }: Behind,
): Promise<void> {
  const table = tableOf(started.plan.collection.id)
  const { columns, constants, seesCells } = layout
  if (seesCells) {
    const whole = rows.map(({ row }, at) => [...row, ...(cellsBehind[at] ?? [])])
    return insertRows(transaction, { table, columns: [...columns, ...columnsBehind], rows: whole, constants })
  }
  const behind: RowBehind[] = batch.numbers.map(() => null)
  for (const [at, { at: place }] of rows.entries()) behind[place] = cellsBehind[at] ?? null
  const { packed } = batch
  const packedColumns = columns
  return insertPackedRows(transaction, {
    table,
    packed,
    packedColumns,
    columns: columnsBehind,
    rows: behind,
    constants,
  })
}

/** The cells of every field that counts, for each row of a batch. */
async function numbersFor(transaction: Transaction, counted: Layout['counted'], count: number) {
  const firsts: (readonly [Field<'auto-number'>, number])[] = []
  for (const field of count > 0 ? counted : []) firsts.push([field, await takeNumbers(transaction, field.id, count)])
  return (at: number): CellValue[] =>
    firsts.flatMap(([field, first]) => cellsIn(field, first + at, transaction.dialect))
}

/** How far the import is after a batch. */
function advanced(
  before: ImportCounts,
  batch: RowBatch,
  {
    created,
    updated,
    refused,
  }: { readonly created: number; readonly updated: number; readonly refused: readonly RowError[] },
): ImportCounts {
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
