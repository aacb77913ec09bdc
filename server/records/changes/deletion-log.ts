import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import type { LoggedChange } from './change-log.ts'

export async function findDeletion(db: Reader, changeSet: string) {
  const row = await db
    .selectFrom('changes')
    .select(['user_id', 'collection_id'])
    .select((eb) => [eb.fn.min('at').as('first_at'), eb.fn.max('at').as('at'), eb.fn.countAll().as('count')])
    .where('change_set_id', '=', changeSet)
    .where('kind', '=', 'record-deleted')
    .groupBy(['user_id', 'collection_id'])
    .executeTakeFirst()
  if (!row || row.collection_id === null) return undefined
  const { user_id: userId, collection_id: collection, first_at: firstAt, at } = row
  return { userId, collection, firstAt: String(firstAt), at: String(at), count: Number(row.count) }
}

const ENTRIES_PER_READ = 1000

export async function lastWriteOf(db: Reader, changeSet: string, before: string | null): Promise<LoggedChange[]> {
  const entries: LoggedChange[] = []
  for (let place = before; ; ) {
    const rows = await entriesOf(db)
      .where('change_set_id', '=', changeSet)
      .where('id', '<', place ?? AFTER_ALL_IDS)
      .orderBy('id', 'desc')
      .limit(ENTRIES_PER_READ)
      .execute()
    const read = rows.map(changeOf)
    const own = read.filter(({ at }) => at === (entries[0] ?? read[0])?.at)
    entries.push(...own)
    if (own.length < ENTRIES_PER_READ) return entries
    place = own.at(-1)?.id ?? place
  }
}

/** Sorts after every ID. */
const AFTER_ALL_IDS = '~'

/** Links to these records that deletions have removed since `since`, newest first, in fields that are unchanged. */
export async function linksRemovedFrom(
  db: Reader,
  records: readonly RecordId[],
  since: string,
): Promise<LoggedChange[]> {
  const entries: LoggedChange[] = []
  for (const some of chunkIds(records)) {
    const rows = await entriesOf(db)
      .where('record_id', 'in', some)
      .where('kind', '=', 'record-changed')
      .where('at', '>=', since)
      .execute()
    entries.push(...rows.map(changeOf))
  }
  const changedSince = new Set<string>()
  return entries
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .filter(({ record, after, changeSet }) => {
      const fields = Object.keys(after ?? {}).map((field) => `${record} ${field}`)
      if (changeSet === null) for (const field of fields) changedSince.add(field)
      return !fields.some((field) => changedSince.has(field))
    })
}

export async function restoredSince(
  db: Reader,
  records: readonly RecordId[],
  entry: string,
): Promise<ReadonlySet<RecordId>> {
  const restored = new Set<RecordId>()
  for (const some of chunkIds(records)) {
    const rows = await db
      .selectFrom('changes')
      .select('record_id')
      .where('record_id', 'in', some)
      .where('kind', '=', 'record-restored')
      .where('id', '>', entry)
      .execute()
    for (const { record_id: id } of rows) restored.add(id ?? '')
  }
  return restored
}

/** The definition of a collection when a log entry was written; undefined if it has not changed since. */
export async function definitionAt(db: Reader, id: CollectionId, entry: string): Promise<Collection | undefined> {
  const row = await db
    .selectFrom('changes')
    .select('before')
    .where('collection_id', '=', id)
    .where('kind', '=', 'collection-changed')
    .where('id', '>', entry)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.before === null || row === undefined ? undefined : (JSON.parse(row.before) as Collection)
}

const entriesOf = (db: Reader) => db.selectFrom('changes').selectAll()

type Row = Awaited<ReturnType<ReturnType<typeof entriesOf>['executeTakeFirstOrThrow']>>

const changeOf = (row: Row): LoggedChange => ({
  id: row.id,
  at: row.at,
  userId: row.user_id,
  kind: row.kind as LoggedChange['kind'],
  collection: row.collection_id,
  record: row.record_id,
  before: row.before === null ? null : JSON.parse(row.before),
  after: row.after === null ? null : JSON.parse(row.after),
  ...(row.note !== null && { note: row.note }),
  changeSet: row.change_set_id,
  ...(row.record_meta !== null && { recordMeta: JSON.parse(row.record_meta) }),
})
