import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'
import { HISTORY_KINDS_OF } from '#server/records/history/history-store.ts'

/** A change set that changed records. */
export type RecordChangeSet = {
  readonly id: string
  readonly userId: UserId | null
  readonly isDeletion: boolean
  /** The collection of its first entry. */
  readonly collection: CollectionId
  readonly firstAt: string
  readonly lastAt: string
  /** The number of records created by an import, which have no entries, and the entry of the import. */
  readonly imported: number
  readonly importEntry: string | null
}

const OF_RECORDS = Object.keys(HISTORY_KINDS_OF)

export async function findChangeSet(db: Reader, id: string): Promise<RecordChangeSet | undefined> {
  const set = await db
    .selectFrom('change_sets')
    .select(['user_id', 'is_deletion'])
    .where('id', '=', id)
    .executeTakeFirst()
  // A deletion also clears links in other collections.
  const isDeletion = Number(set?.is_deletion ?? 0) === 1
  const entries = db
    .selectFrom('changes')
    .select(['collection_id', 'at'])
    .where('change_set_id', '=', id)
    .where('kind', 'in', isDeletion ? ['record-deleted'] : [...OF_RECORDS, 'records-imported'])
    .limit(1)
  const first = set && (await entries.orderBy('id').executeTakeFirst())
  const last = set && (await entries.orderBy('id', 'desc').executeTakeFirst())
  if (!set || !first || !last || first.collection_id === null) return undefined
  return {
    id,
    userId: set.user_id,
    isDeletion,
    collection: first.collection_id,
    firstAt: first.at,
    lastAt: last.at,
    ...(await findImported(db, id)),
  }
}

async function findImported(db: Reader, changeSet: string): Promise<Pick<RecordChangeSet, 'imported' | 'importEntry'>> {
  const entry = await db
    .selectFrom('changes')
    .select(['id', 'after'])
    .where('change_set_id', '=', changeSet)
    .where('kind', '=', 'records-imported')
    .executeTakeFirst()
  return { imported: Number(JSON.parse(entry?.after ?? '{}').count ?? 0), importEntry: entry?.id ?? null }
}

/** The number of records that a change set changed; counts entries up to a limit. */
export async function countChanged(db: Reader, set: RecordChangeSet, limit?: number): Promise<number> {
  const { count } = await db
    .selectFrom((inner) =>
      inner
        .selectFrom('changes')
        .select('id')
        .where('change_set_id', '=', set.id)
        .where('kind', 'in', set.isDeletion ? ['record-deleted'] : OF_RECORDS)
        .$if(limit !== undefined, (some) => some.limit(limit ?? 0))
        .as('entry'),
    )
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count) + set.imported
}

type Rows = { readonly after: RecordId | null; readonly limit: number }

/**
 * Records that an import created, in ID order. IDs sort by creation time, so they are between that of the import, which
 * is that of its change set, and that of its entry.
 */
export async function importedRecords(
  db: Reader,
  { collection, id, importEntry }: Pick<RecordChangeSet, 'collection' | 'id' | 'importEntry'>,
  { after, limit }: Rows,
): Promise<RecordId[]> {
  const rows = await db
    .selectFrom(tableOf(collection))
    .select('id')
    .where('id', '>', after ?? id)
    .where('id', '<', importEntry ?? '')
    .where('import_id', '=', id)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => String(row['id']))
}

export async function isImportRunning(db: Reader, changeSet: string): Promise<boolean> {
  const item = await db.selectFrom('imports').select('state').where('id', '=', changeSet).executeTakeFirst()
  return item?.state === 'running' || item?.state === 'undoing'
}
