import type { Selectable, Updateable } from 'kysely'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import type { SystemTables } from '#server/platform/database/tables/system-tables.ts'
import type { ImportState, StoredImport } from './stored-import.ts'

export async function insertImport({ db }: Transaction, item: StoredImport): Promise<void> {
  await db
    .insertInto('imports')
    .values({ id: item.id, ...cellsOf(item) })
    .execute()
}

export async function findImport(db: Reader, id: string): Promise<StoredImport | undefined> {
  const row = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
  return row && importOf(row)
}

/** Locks the row until the write ends. */
export async function lockImport({ db, dialect }: Transaction, id: string): Promise<StoredImport | undefined> {
  const query = db.selectFrom('imports').selectAll().where('id', '=', id)
  const row = await (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  return row && importOf(row)
}

export type LockedImport = Pick<StoredImport, 'state' | 'progress'>

/** Omits the inspection, which can be large. */
export async function lockImportProgress({ db, dialect }: Transaction, id: string): Promise<LockedImport | undefined> {
  const query = db.selectFrom('imports').select(['state', 'progress']).where('id', '=', id)
  const row = await (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  return row && { state: row.state as ImportState, progress: JSON.parse(row.progress) }
}

/** Oldest first. */
export async function importsIn(db: Reader, states: readonly ImportState[]): Promise<StoredImport[]> {
  const rows = await db
    .selectFrom('imports')
    .selectAll()
    .where('state', 'in', [...states])
    .orderBy('id')
    .execute()
  return rows.map(importOf)
}

/** Imports that may have files, oldest first; omits the inspection. */
export async function listUserImports(
  db: Reader,
  userId: string,
): Promise<Pick<StoredImport, 'id' | 'bytes' | 'state'>[]> {
  const rows = await db
    .selectFrom('imports')
    .select(['id', 'bytes', 'state'])
    .where('user_id', '=', userId)
    .where('state', 'in', ['ready', 'running', 'undoing', 'failed'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, state: row.state as ImportState }))
}

export async function updateImport({ db }: Transaction, id: string, change: Partial<StoredImport>): Promise<void> {
  await db.updateTable('imports').set(cellsOf(change)).where('id', '=', id).execute()
}

type Row = Selectable<SystemTables['imports']>

const importOf = (row: Row): StoredImport => ({
  id: row.id,
  userId: row.user_id,
  fileName: row.file_name,
  bytes: row.bytes,
  // The column contains only valid states.
  state: row.state as ImportState,
  collection: row.collection_id,
  madeCollection: row.made_collection === 1,
  look: row.preview === null ? null : lookOf(JSON.parse(row.preview)),
  progress: JSON.parse(row.progress),
  failure: row.failure,
  createdAt: row.created_at,
  endedAt: row.ended_at,
})

/** Older inspections lack properties that were added later; those without an encoding are UTF-8. */
const lookOf = (look: NonNullable<StoredImport['look']>): StoredImport['look'] => ({
  form: { ...look.form, encoding: look.form.encoding ?? 'utf-8' },
  preview: {
    ...look.preview,
    encoding: look.preview.encoding ?? 'utf-8',
    confidence: look.preview.confidence ?? 'certain',
    columns: look.preview.columns.map((column) => ({
      ...column,
      format: column.format ?? {},
      misfitCount: column.misfitCount ?? 0,
    })),
  },
})

type Cells<Item> = Item extends StoredImport ? Omit<Row, 'id'> : Updateable<SystemTables['imports']>

function cellsOf<Item extends Partial<StoredImport>>(item: Item): Cells<Item> {
  const { userId, fileName, bytes, state, collection, madeCollection, look, progress, failure } = item
  const cells: Updateable<SystemTables['imports']> = {
    user_id: userId,
    file_name: fileName,
    bytes,
    state,
    collection_id: collection,
    made_collection: madeCollection === undefined ? undefined : Number(madeCollection),
    preview: look && JSON.stringify(look),
    progress: progress === undefined ? undefined : JSON.stringify(progress),
    failure,
    created_at: item.createdAt,
    ended_at: item.endedAt,
  }
  // For a partial item, contains only the cells of the given properties.
  return Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== undefined)) as Cells<Item>
}
