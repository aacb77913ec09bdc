import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import { readDisplay } from '#domain/views/view-kinds.ts'
import type { View, ViewContent, ViewId } from '#domain/views/view.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import type { OrderGap } from './order-keys.ts'

type ViewRow = {
  readonly id: string
  readonly collection_id: string
  readonly owner_id: string
  readonly name: string
  readonly is_shared: number
  readonly is_locked: number
  readonly content: string
  readonly version: number
}

/** Views stored before view kinds existed are grids. */
function contentOf({ content }: ViewRow): ViewContent {
  const stored = JSON.parse(content)
  return { ...stored, display: readDisplay(stored.display) }
}

const viewOf = (row: ViewRow): View => ({
  id: row.id,
  collection: row.collection_id,
  owner: row.owner_id,
  name: row.name,
  isShared: Number(row.is_shared) === 1,
  isLocked: Number(row.is_locked) === 1,
  version: Number(row.version),
  ...contentOf(row),
})

export const contentCell = ({ query, display, layout, look, pageSize }: ViewContent): string =>
  JSON.stringify({ query, display, layout, look, pageSize })

const cellsOf = ({ name, isShared, isLocked, version, query, display, layout, look, pageSize }: View) => ({
  name,
  is_shared: isShared ? 1 : 0,
  is_locked: isLocked ? 1 : 0,
  content: contentCell({ query, display, layout, look, pageSize }),
  version,
})

export async function loadViews(db: Reader, collection: CollectionId, owner: UserId | null): Promise<View[]> {
  const rows = await db
    .selectFrom('views')
    .selectAll()
    .where('collection_id', '=', collection)
    .where((is) => is.or([is('is_shared', '=', 1), is('owner_id', '=', owner ?? '')]))
    .orderBy('is_shared', 'desc')
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(viewOf)
}

export type ViewName = Pick<View, 'id' | 'collection' | 'owner' | 'name' | 'isShared'>

/** Shared views of all collections and the user's own, without their content. */
export async function loadViewNames(db: Reader, owner: UserId | null): Promise<ViewName[]> {
  const rows = await db
    .selectFrom('views')
    .select(['id', 'collection_id', 'owner_id', 'name', 'is_shared'])
    .where((is) => is.or([is('is_shared', '=', 1), is('owner_id', '=', owner ?? '')]))
    .orderBy('is_shared', 'desc')
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    collection: row.collection_id,
    owner: row.owner_id,
    name: row.name,
    isShared: Number(row.is_shared) === 1,
  }))
}

export async function findView(db: Reader, collection: CollectionId, id: ViewId): Promise<View | undefined> {
  const row = await db
    .selectFrom('views')
    .selectAll()
    .where('id', '=', id)
    .where('collection_id', '=', collection)
    .executeTakeFirst()
  return row && viewOf(row)
}

export async function loadViewsById(db: Reader, ids: readonly ViewId[]): Promise<View[]> {
  const rows = await db.selectFrom('views').selectAll().where('id', 'in', ids).execute()
  return rows.map(viewOf)
}

export async function insertView({ db }: Transaction, view: View, position: number, at: string): Promise<void> {
  await db
    .insertInto('views')
    .values({
      id: view.id,
      collection_id: view.collection,
      owner_id: view.owner,
      ...cellsOf(view),
      position,
      created_at: at,
      updated_at: at,
    })
    .execute()
}

export async function replaceView({ db }: Transaction, view: View, at: string): Promise<void> {
  await db
    .updateTable('views')
    .set({ ...cellsOf(view), updated_at: at })
    .where('id', '=', view.id)
    .execute()
}

export async function storeViewOrder({ db }: Transaction, ids: readonly ViewId[]): Promise<void> {
  for (const [position, id] of ids.entries()) {
    await db.updateTable('views').set({ position }).where('id', '=', id).execute()
  }
}

export async function deleteView({ db }: Transaction, id: ViewId): Promise<void> {
  await db.deleteFrom('view_positions').where('view_id', '=', id).execute()
  await db.deleteFrom('first_views').where('view_id', '=', id).execute()
  await db.deleteFrom('views').where('id', '=', id).execute()
}

export async function deleteViewsOf({ db }: Transaction, collection: CollectionId): Promise<void> {
  const views = db.selectFrom('views').select('id').where('collection_id', '=', collection)
  await db.deleteFrom('view_positions').where('view_id', 'in', views).execute()
  await db.deleteFrom('first_views').where('collection_id', '=', collection).execute()
  await db.deleteFrom('views').where('collection_id', '=', collection).execute()
}

export async function findDefaultView(
  db: Reader,
  user: UserId | null,
  collection: CollectionId,
): Promise<ViewId | null> {
  if (user === null) return null
  const row = await db
    .selectFrom('first_views')
    .select('view_id')
    .where('user_id', '=', user)
    .where('collection_id', '=', collection)
    .executeTakeFirst()
  return row?.view_id ?? null
}

export async function storeDefaultView(
  { db }: Transaction,
  user: UserId,
  collection: CollectionId,
  view: ViewId | null,
): Promise<void> {
  await db.deleteFrom('first_views').where('user_id', '=', user).where('collection_id', '=', collection).execute()
  if (view === null) return
  await db.insertInto('first_views').values({ user_id: user, collection_id: collection, view_id: view }).execute()
}

export async function clearDefaultForOthers({ db }: Transaction, { id, owner }: View): Promise<void> {
  await db.deleteFrom('first_views').where('view_id', '=', id).where('user_id', '!=', owner).execute()
}

export async function hasOrderKeys(db: Reader, view: ViewId): Promise<boolean> {
  const row = await db.selectFrom('view_positions').select('record_id').where('view_id', '=', view).executeTakeFirst()
  return row !== undefined
}

export async function orderKeyOf(db: Reader, view: ViewId, record: RecordId): Promise<string | undefined> {
  const row = await db
    .selectFrom('view_positions')
    .select('order_key')
    .where('view_id', '=', view)
    .where('record_id', '=', record)
    .executeTakeFirst()
  return row?.order_key
}

/** The key of another record nearest to the start or the end of a gap. */
export async function nearestOrderKey(
  db: Reader,
  { view, record }: { readonly view: ViewId; readonly record: RecordId },
  { from, to, isFromEnd }: OrderGap,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('view_positions')
    .select('order_key')
    .where('view_id', '=', view)
    .where('order_key', '>', from)
    .where('order_key', '<', to)
    .where('record_id', '!=', record)
    .orderBy('order_key', isFromEnd ? 'desc' : 'asc')
    .limit(1)
    .executeTakeFirst()
  return row?.order_key
}

export async function storeOrderKey(
  { db }: Transaction,
  { view, record, key }: { readonly view: ViewId; readonly record: RecordId; readonly key: string },
): Promise<void> {
  await db
    .insertInto('view_positions')
    .values({ view_id: view, record_id: record, order_key: key })
    .onConflict((conflict) => conflict.columns(['view_id', 'record_id']).doUpdateSet({ order_key: key }))
    .execute()
}
