import { type CollectionId, idLowerBound, type RecordId } from '#domain/shared/ids.ts'
import { COMMIT_ID, type CommitId, type Transaction } from '#server/platform/database/database.ts'
import { chunkIds, chunkRows } from '#server/platform/database/rows/id-lists.ts'
import { deleteStatement, insertStatement } from '#server/platform/database/rows/row-statements.ts'
import type { ChangeKind, ChangeSet, LoggedChange } from './change-log.ts'

/**
 * Appends the entries of a change set to the change log, and returns the commit marker. A job appends to its set several
 * times. Entries are never changed, unless they are erased; they are removed when they are too old.
 */
export function appendChanges(
  { dialect, send }: Transaction,
  set: ChangeSet,
  changes: readonly LoggedChange[],
): () => CommitId | null {
  let mark: CommitId | null = null
  if (changes.length > 0)
    send(insertStatement(dialect, 'change_sets', [{ ...setRowOf(set), entry_count: countOf(changes) }], NOT_COUNTED))
  moveTrash({ dialect, send }, changes)
  const chunks = chunkRows(changes)
  const last = chunks.pop()
  for (const some of chunks) send(insertStatement(dialect, 'changes', some.map(rowOf)))
  if (!last) return () => null
  const returning = `returning ${COMMIT_ID[dialect]} as mark`
  send(insertStatement<{ mark: string }>(dialect, 'changes', last.map(rowOf), returning), (marks) => {
    // On SQLite, the entries of one write have different numbers; any of them can be used, because a write becomes
    // visible as a whole.
    mark = BigInt(marks.at(-1)?.mark ?? 0)
  })
  return () => mark
}

const NOT_COUNTED = 'on conflict (id) do update set entry_count = null where change_sets.entry_count is not null'

function countOf(changes: readonly LoggedChange[]): number | null {
  const [first] = changes
  const isUniform =
    first && changes.every(({ kind, collection }) => kind === first.kind && collection === first.collection)
  return isUniform ? changes.length : null
}

/** Entries about records; those about definitions are needed to read others, and are kept. */
const RECORD_KINDS: readonly ChangeKind[] = [
  'record-created',
  'record-changed',
  'record-moved',
  'record-deleted',
  'record-restored',
  'record-erased',
]

/** Maximum per write, so that other writes don't have to wait. */
const MAX_REMOVED = 1000

/** Removes some entries about records from before a time, and change sets without entries; whether there may be more. */
export async function removeOldEntries({ db }: Transaction, until: string): Promise<boolean> {
  const end = idLowerBound(Date.parse(until))
  const entries = await db
    .deleteFrom('changes')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('changes as entry')
        .select('entry.id')
        .where('entry.id', '<', end)
        .where('entry.kind', 'in', RECORD_KINDS)
        // Restoring a record needs its entry.
        .where('entry.id', 'not in', eb.selectFrom('trash').select('entry_id'))
        .orderBy('entry.id')
        .limit(MAX_REMOVED),
    )
    .returning('change_set_id')
    .execute()
  await forgetCounts(db, entries)
  const sets = await db
    .deleteFrom('change_sets')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('change_sets as set')
        .select('set.id')
        .where('set.id', '<', end)
        .where((of) =>
          of.not(of.exists(of.selectFrom('changes').select('id').whereRef('change_set_id', '=', 'set.id'))),
        )
        .orderBy('set.id')
        .limit(MAX_REMOVED),
    )
    .executeTakeFirst()
  return entries.length + Number(sets.numDeletedRows) > 0
}

/**
 * Erases the values of the entries about records, and returns the collections of the records that had any. The entries
 * themselves stay, so that programs that read the log don't miss others.
 */
export async function eraseEntries(
  { db }: Transaction,
  records: readonly RecordId[],
): Promise<ReadonlyMap<RecordId, CollectionId>> {
  const erased = new Map<RecordId, CollectionId>()
  for (const some of chunkIds(records)) {
    const rows = await db
      .updateTable('changes')
      .set({ kind: 'record-erased', before: null, after: null, note: null, record_meta: null })
      .where('record_id', 'in', some)
      .where('kind', 'in', RECORD_KINDS)
      .returning(['record_id', 'collection_id', 'change_set_id'])
      .execute()
    await forgetCounts(db, rows)
    for (const { record_id: record, collection_id: collection } of rows) erased.set(record ?? '', collection ?? '')
  }
  return erased
}

async function forgetCounts(
  db: Transaction['db'],
  entries: readonly { readonly change_set_id: string | null }[],
): Promise<void> {
  for (const some of chunkIds([...new Set(entries.flatMap((entry) => entry.change_set_id ?? []))]))
    await db.updateTable('change_sets').set({ entry_count: null }).where('id', 'in', some).execute()
}

const rowOf = (change: LoggedChange) => ({
  id: change.id,
  at: change.at,
  user_id: change.userId,
  kind: change.kind,
  collection_id: change.collection,
  record_id: change.record,
  before: change.before === null ? null : JSON.stringify(change.before),
  after: change.after === null ? null : JSON.stringify(change.after),
  note: change.note ?? null,
  change_set_id: change.changeSet,
  record_meta: change.recordMeta === undefined ? null : JSON.stringify(change.recordMeta),
})

/** Puts deleted records into the trash, and takes restored ones out. */
function moveTrash({ dialect, send }: Pick<Transaction, 'dialect' | 'send'>, changes: readonly LoggedChange[]): void {
  for (const some of chunkIds(recordsOf(changes, 'record-restored')))
    send(deleteStatement(dialect, 'trash', 'record_id', some))
  const rows = changes.flatMap(({ kind, record, collection, id, changeSet, at }) =>
    kind === 'record-deleted' && record !== null
      ? [{ record_id: record, collection_id: collection, entry_id: id, change_set_id: changeSet, deleted_at: at }]
      : [],
  )
  for (const some of chunkRows(rows)) send(insertStatement(dialect, 'trash', some, REPLACE))
}

const REPLACE = `on conflict (record_id) do update set
  collection_id = excluded.collection_id, entry_id = excluded.entry_id,
  change_set_id = excluded.change_set_id, deleted_at = excluded.deleted_at`

const recordsOf = (changes: readonly LoggedChange[], kind: ChangeKind): readonly string[] =>
  changes.flatMap((change) => (change.kind === kind && change.record !== null ? change.record : []))

const setRowOf = (set: ChangeSet) => ({
  id: set.id,
  at: set.at,
  user_id: set.userId,
  via: set.via,
  source_id: set.sourceId,
  undoes: set.undoes,
  is_deletion: set.isDeletion ? 1 : 0,
  idempotency_key: set.idempotencyKey,
})
