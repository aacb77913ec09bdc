import { sql } from 'kysely'
import type { Transaction } from '#server/platform/database/database.ts'
import { type Migration, runStatements } from './migration.ts'

/** How long records stay in the trash by default, in ms. */
const TRASH_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Entries of the change log belong to a change set: what one request, import, job or undo did. Of earlier entries, only
 * deletions and creations with an idempotency key have one. Recently deleted records are in the trash.
 */
export const changeSets: Migration = {
  number: 31,
  name: 'change sets',
  apply: async (transaction, { text, integer }) => {
    const isSqlite = transaction.dialect === 'sqlite'
    await runStatements(transaction, [
      `create table change_sets (
        id ${text} primary key not null,
        at ${text} not null,
        user_id ${text},
        via ${text},
        source_id ${text},
        undoes ${text},
        is_deletion ${integer} not null,
        idempotency_key ${text}
      )${isSqlite ? ' without rowid' : ''}`,
      `create table trash (
        record_id ${text} primary key not null,
        collection_id ${text} not null,
        entry_id ${text} not null,
        change_set_id ${text} not null,
        deleted_at ${text} not null
      )`,
      'create index trash_entry on trash (entry_id)',
      'create index trash_collection on trash (collection_id, entry_id)',
      'create index trash_deleted on trash (deleted_at)',
      `create index changes_definitions on changes (collection_id, id) where kind = 'collection-changed'`,
      'create index assets_taken_out on assets (taken_out_of) where taken_out_of is not null',
    ])
    await storeSets(transaction)
    await runStatements(transaction, [
      'create index change_sets_key on change_sets (user_id, idempotency_key) where idempotency_key is not null',
    ])
    await fillTrash(transaction)
  },
}

/** IDs that begin with `create` contain an idempotency key; these change sets get the ID of their entry. */
async function storeSets({ db }: Transaction): Promise<void> {
  await sql`
    insert into change_sets (id, at, user_id, is_deletion, idempotency_key)
    select id, at, user_id, 0, substr(change_set_id, length('create ' || coalesce(user_id, '') || ' ') + 1)
    from changes where change_set_id like 'create %'
  `.execute(db)
  await sql`
    insert into change_sets (id, at, user_id, is_deletion)
    select change_set_id, min(at), min(user_id), 1 from changes
    where change_set_id is not null and change_set_id not like 'create %' group by change_set_id
  `.execute(db)
  await sql`update changes set change_set_id = id where change_set_id like 'create %'`.execute(db)
}

/** Records whose last deletion hasn't been undone. */
async function fillTrash({ db }: Transaction): Promise<void> {
  const since = new Date(Date.now() - TRASH_MS).toISOString()
  await sql`
    insert into trash (record_id, collection_id, entry_id, change_set_id, deleted_at)
    select record_id, collection_id, id, change_set_id, at from changes as deletion
    where kind = 'record-deleted' and record_id is not null and change_set_id is not null and at >= ${since}
      and not exists (
        select 1 from changes as later
        where later.record_id = deletion.record_id and later.id <> deletion.id
          and (later.id > deletion.id or later.at > deletion.at)
          and later.kind in ('record-deleted', 'record-restored')
      )
  `.execute(db)
}
