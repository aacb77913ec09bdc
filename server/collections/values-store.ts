import { sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import type { ChoiceId, FieldId } from '#domain/shared/ids.ts'
import type { CellValue, Transaction } from '#server/database/database.ts'
import { columnOf, tableOf } from '#server/query/column-of.ts'

/** How many records hold one of these choices. */
export async function countChoices(
  { db }: Transaction,
  collection: Collection,
  field: FieldId,
  choices: readonly ChoiceId[],
): Promise<number> {
  const row = await db
    .selectFrom(tableOf(collection.id))
    .select((each) => each.fn.countAll().as('count'))
    .where(columnOf(field), 'in', [...choices])
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Empties the field wherever it holds one of these choices. */
export async function clearChoices(
  { db }: Transaction,
  collection: Collection,
  field: FieldId,
  choices: readonly ChoiceId[],
): Promise<void> {
  await db
    .updateTable(tableOf(collection.id))
    .set({ [columnOf(field)]: null, version: sql<number>`version + 1` })
    .where(columnOf(field), 'in', [...choices])
    .execute()
}

/** A few values that stand in more than one record. */
export async function findDuplicates({ db }: Transaction, collection: Collection, field: FieldId): Promise<string[]> {
  const column = columnOf(field)
  const rows = await db
    .selectFrom(tableOf(collection.id))
    .select(column)
    .where(column, 'is not', null)
    .groupBy(column)
    .having((each) => each.fn.countAll(), '>', 1)
    .limit(3)
    .execute()
  return rows.map((row) => String(row[column]))
}

/** The next stretch of a column behind an id: record ids with what the column holds, empty ones left out. */
export async function readColumn(
  { db }: Transaction,
  collection: Collection,
  column: string,
  window: { readonly behind: string; readonly count: number },
): Promise<{ readonly id: string; readonly cell: CellValue }[]> {
  const rows = await db
    .selectFrom(tableOf(collection.id))
    .select(['id', column])
    .where('id', '>', window.behind)
    .where(column, 'is not', null)
    .orderBy('id')
    .limit(window.count)
    .execute()
  return rows.map((row) => ({ id: String(row['id']), cell: row[column] ?? null }))
}

/** Writes some cells of one row. */
export async function writeCells(
  { db }: Transaction,
  collection: Collection,
  id: string,
  cells: { readonly [column: string]: CellValue },
): Promise<void> {
  await db.updateTable(tableOf(collection.id)).set(cells).where('id', '=', id).execute()
}

/** The most frequent values of a column, as text. */
export async function frequentValues(
  { db }: Transaction,
  collection: Collection,
  column: string,
  most: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom(tableOf(collection.id))
    .select(column)
    .where(column, 'is not', null)
    .groupBy(column)
    .orderBy((each) => each.fn.countAll(), 'desc')
    .orderBy(column)
    .limit(most)
    .execute()
  return rows.map((row) => String(row[column]))
}
