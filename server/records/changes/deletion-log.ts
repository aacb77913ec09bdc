import type { RecordValues } from '#domain/records/record.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import type { LoggedChange } from './change-log.ts'

const ENTRIES_PER_READ = 1000

/** The entries of the last write of a change set before an entry, newest first. */
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
      .where('change_set_id', 'in', (eb) => eb.selectFrom('change_sets').select('id').where('is_deletion', '=', 1))
      .execute()
    entries.push(...rows.map(changeOf))
  }
  const changed = await fieldsChangedByHand(db, [...new Set(entries.flatMap(({ record }) => record ?? []))], since)
  return entries
    .filter(({ id, record, after }) =>
      Object.keys(after ?? {}).every((field) => (changed.get(`${record} ${field}`) ?? '') < id),
    )
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
}

/** The last entry, other than of a deletion, that changed each field of these records, by record and field ID. */
async function fieldsChangedByHand(
  db: Reader,
  records: readonly RecordId[],
  since: string,
): Promise<ReadonlyMap<string, string>> {
  const last = new Map<string, string>()
  for (const record of records) {
    for await (const { id, after } of changesByHand(db, record, since)) {
      for (const field of Object.keys(JSON.parse(after ?? '{}'))) last.set(`${record} ${field}`, id)
    }
  }
  return last
}

/** The entries of a record's changes since `since`, oldest first, other than those of deletions. */
async function* changesByHand(db: Reader, record: RecordId, since: string) {
  for (let place = ''; ; ) {
    const rows = await db
      .selectFrom('changes')
      .leftJoin('change_sets', 'change_sets.id', 'changes.change_set_id')
      .select(['changes.id', 'changes.after', 'change_sets.is_deletion'])
      .where('changes.record_id', '=', record)
      .where('changes.kind', '=', 'record-changed')
      .where('changes.at', '>=', since)
      .where('changes.id', '>', place)
      .orderBy('changes.id')
      .limit(ENTRIES_PER_STEP)
      .execute()
    yield* rows.filter((row) => Number(row.is_deletion ?? 0) !== 1)
    if (rows.length < ENTRIES_PER_STEP) return
    place = rows.at(-1)?.id ?? place
  }
}

/** Entries can contain long texts. */
const ENTRIES_PER_STEP = 50

/** The values of these records before each of their entries, oldest first. */
export async function formerValues(
  db: Reader,
  records: readonly RecordId[],
): Promise<ReadonlyMap<RecordId, readonly { readonly before: RecordValues | null }[]>> {
  const found: { readonly record: RecordId; readonly before: RecordValues | null }[] = []
  for (const some of chunkIds(records)) {
    const rows = await db
      .selectFrom('changes')
      .select(['record_id', 'before'])
      .where('record_id', 'in', some)
      .orderBy('id')
      .execute()
    for (const { record_id: id, before } of rows)
      found.push({ record: id ?? '', before: before === null ? null : JSON.parse(before) })
  }
  return Map.groupBy(found, ({ record }) => record)
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

/** Of these records, those whose value of a field was written since a change set, or whose history was erased. */
export async function writtenSince(
  db: Reader,
  records: readonly RecordId[],
  { field, changeSet }: { readonly field: FieldId; readonly changeSet: string },
): Promise<ReadonlySet<RecordId>> {
  const written = new Set<RecordId>()
  for (const some of chunkIds(records)) {
    const rows = await db
      .selectFrom('changes')
      .select(['record_id', 'kind', 'after'])
      .where('record_id', 'in', some)
      .where('id', '>', changeSet)
      .execute()
    for (const { record_id: id, kind, after } of rows)
      if (kind !== 'record-changed' || Object.hasOwn(JSON.parse(after ?? '{}'), field)) written.add(id ?? '')
  }
  return written
}

/** The deletions of these records that are in the trash, by the ID of their log entry. */
export async function entriesInTrash(db: Reader, records: readonly RecordId[]): Promise<ReadonlySet<string>> {
  const entries = new Set<string>()
  for (const some of chunkIds(records)) {
    const rows = await db.selectFrom('trash').select('entry_id').where('record_id', 'in', some).execute()
    for (const { entry_id: id } of rows) entries.add(id)
  }
  return entries
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
  changeSet: row.change_set_id ?? row.id,
  ...(row.record_meta !== null && { recordMeta: JSON.parse(row.record_meta) }),
})

/**
 * The log entries of these deletions, and those of the links to their records that the change set cleared, newest
 * first.
 */
export async function deletionEntries(
  db: Reader,
  changeSet: string,
  deletions: readonly { readonly entry: string; readonly record: RecordId }[],
): Promise<readonly LoggedChange[]> {
  const entries: LoggedChange[] = []
  for (const some of chunkIds(deletions.map(({ entry }) => entry)))
    entries.push(...(await entriesOf(db).where('id', 'in', some).execute()).map(changeOf))
  const records = new Set(deletions.map(({ record }) => record))
  const set = await db.selectFrom('change_sets').select('is_deletion').where('id', '=', changeSet).executeTakeFirst()
  for (let after = ''; set?.is_deletion === 1; ) {
    const rows = await entriesOf(db)
      .where('change_set_id', '=', changeSet)
      .where('kind', '=', 'record-changed')
      .where('id', '>', after)
      .orderBy('id')
      .limit(ENTRIES_PER_READ)
      .execute()
    entries.push(...rows.filter(({ before }) => mentions(before, records)).map(changeOf))
    after = rows.at(-1)?.id ?? ''
    if (rows.length < ENTRIES_PER_READ) break
  }
  return entries.toSorted((one, other) => (one.id < other.id ? 1 : -1))
}

const mentions = (json: string | null, records: ReadonlySet<RecordId>): boolean =>
  (json?.match(/[0-9a-z]{26}/g) ?? []).some((id) => records.has(id))
