import { userIdOf } from '#domain/access/actor.ts'
import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { startingValue } from '#domain/fields/kinds.ts'
import { type PointerField, rowReader } from '#domain/imports/row-to-values.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { CellValue } from '#server/platform/database/database.ts'
import { columnOf, listTableOf, SYSTEM_COLUMNS } from '#server/query/sql/sql-context.ts'
import { cellsIn, columnsOfField } from '#server/records/values/row-mapping.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { fieldsInRow } from '#server/transfer/imports/csv/rows-to-cells.ts'
import type { RowShape } from '#server/transfer/imports/changes/stage-changes.ts'
import type { StartedImport } from '#server/transfer/imports/stored-import.ts'

/** Column order of packed rows. */
export type RowLayout = {
  readonly columns: readonly string[]
  /** Whether rows must be unpacked for checks. */
  readonly seesCells: boolean
  /** Values shared by all rows: author, time, import. */
  readonly constants: { readonly [column: string]: string | number | null }
  readonly pointers: readonly PointerField[]
  readonly counted: readonly Field<'auto-number'>[]
  /** List tables filled by rows. */
  readonly listTables: readonly string[]
  /** Positions of values, for updates of existing records. */
  readonly shape: RowShape
  /** Status fields with the default of new records. */
  readonly states: readonly { readonly at: number; readonly first: CellValue }[]
  /** Default lists of every row. */
  readonly lists: readonly { readonly table: string; readonly values: readonly RecordId[] }[]
}

/** Computes what doesn't depend on rows, once per import. */
export function createRowLayout(needs: ImportDeps, { item, actor, plan, at }: StartedImport): RowLayout {
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
