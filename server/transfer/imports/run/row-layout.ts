import { userIdOf } from '#domain/access/actor.ts'
import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { startingValue } from '#domain/fields/kinds.ts'
import { type ReferenceField, createRowReader } from '#domain/imports/row-to-values.ts'
import { type RecordId, seqIntegerOf } from '#domain/shared/ids.ts'
import type { CellValue, Dialect, Transaction } from '#server/platform/database/database.ts'
import { SEQ_COLUMN, SYSTEM_COLUMNS, columnOf, listTableOf } from '#server/query/sql/sql-context.ts'
import { cellsIn, columnsOfField } from '#server/records/values/row-mapping.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { fieldsInRow } from '#server/transfer/imports/csv/rows-to-cells.ts'
import type { RowShape } from '#server/transfer/imports/changes/stage-changes.ts'
import type { StartedImport } from '#server/transfer/imports/stored-import.ts'
import { allocateNumbers } from '#server/records/values/auto-numbers.ts'

/** Column order of packed rows. */
export type RowLayout = {
  readonly columns: readonly string[]
  /** Whether rows must be unpacked for checks. */
  readonly seesCells: boolean
  /** Values shared by all rows: author, time, import. */
  readonly constants: { readonly [column: string]: string | number | null }
  readonly pointers: readonly ReferenceField[]
  readonly counted: readonly Field<'auto-number'>[]
  readonly listTables: readonly string[]
  /** Column positions, for updates of existing records. */
  readonly shape: RowShape
  /** Status fields with their default for new records. */
  readonly states: readonly { readonly at: number; readonly first: CellValue }[]
  /** Default values of list fields, added to every row. */
  readonly lists: readonly { readonly table: string; readonly values: readonly RecordId[] }[]
}

/** Computes everything that doesn't depend on rows, once per import. */
export function createRowLayout(deps: ImportDeps, { item, actor, plan, at }: StartedImport): RowLayout {
  const { dialect } = deps.database
  const userId = userIdOf(actor)
  const reader = createRowReader(plan)
  const { fields, references: pointers, lists, mappedCount: broughtCount } = reader
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

export type ColumnValues = { readonly name: string; readonly cells: readonly CellValue[] }

type KeyValues = { readonly name: string; readonly cells: readonly RecordId[] | BigInt64Array }

/** IDs and row numbers of new rows. */
export function keyColumns(ids: readonly RecordId[], dialect: Dialect): KeyValues[] {
  const id = { name: SYSTEM_COLUMNS.id, cells: ids }
  return dialect === 'sqlite' ? [id, { name: SEQ_COLUMN, cells: BigInt64Array.from(ids, seqIntegerOf) }] : [id]
}

export async function numberColumns(
  transaction: Transaction,
  counted: readonly Field<'auto-number'>[],
  count: number,
): Promise<ColumnValues[]> {
  const columns: ColumnValues[] = []
  for (const field of count > 0 ? counted : []) {
    const first = await allocateNumbers(transaction, field.id, count)
    const cells = Array.from({ length: count }, (_, at) => cellsIn(field, first + at, transaction.dialect))
    for (const [place, name] of columnsOfField(field).entries()) {
      columns.push({ name, cells: cells.map((row) => row[place] ?? null) })
    }
  }
  return columns
}
