import { sql } from 'kysely'
import { type Field, holdsList } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import { textColumnType } from '#server/query/sql/field-storage.ts'
import type { CellValue, Reader, Transaction } from '#server/platform/database/database.ts'
import { insertRows } from '#server/platform/database/rows/insert-rows.ts'
import { columnOf, listTableOf, tableOf } from '#server/query/sql/sql-context.ts'
import { cellsOfValue } from '#server/records/values/row-mapping.ts'

/**
 * While the kind of a field is being changed, triggers log every new record and every change to an old value, from any
 * code path, and clear its shadow value. A shadow value is therefore either current or empty.
 */

export type ShadowedField = { readonly collection: CollectionId; readonly old: Field; readonly shadow: Field }

const notesTableOf = ({ id }: Field): string => `k_${id}`

const run = ({ db }: Transaction, statement: string) => sql.raw(statement).execute(db)

export async function createChangeNotes(transaction: Transaction, shadowing: ShadowedField): Promise<void> {
  const { dialect } = transaction
  const notes = notesTableOf(shadowing.shadow)
  await run(
    transaction,
    `create table ${notes} (record_id ${textColumnType(dialect)} primary key not null, is_lost integer not null)`,
  )
  await run(transaction, `create index ${notes}_open on ${notes} (record_id) where is_lost = 0`)
  const statements = dialect === 'sqlite' ? sqliteTriggers(shadowing) : postgresTriggers(shadowing)
  for (const statement of statements) await run(transaction, statement)
}

/** Removes the triggers and the log entries they wrote. */
export async function dropChangeNotes(transaction: Transaction, shadow: Field): Promise<void> {
  const notes = notesTableOf(shadow)
  const isSqlite = transaction.dialect === 'sqlite'
  for (const what of isSqlite ? SQLITE_TRIGGERS : POSTGRES_FUNCTIONS) {
    await run(transaction, isSqlite ? `drop trigger if exists ${notes}_${what}` : dropFunction(`${notes}_${what}`))
  }
  await run(transaction, `drop table ${notes}`)
}

const SQLITE_TRIGGERS = ['made', 'removed', 'changed', 'listed', 'relisted', 'unlisted'] as const
const POSTGRES_FUNCTIONS = ['write', 'list', 'delete'] as const

const dropFunction = (name: string): string => `drop function if exists ${name}() cascade`

const noteStatement = (notes: string, record: string): string =>
  `insert into ${notes} (record_id, is_lost) values (${record}, 0) on conflict (record_id) do update set is_lost = 0`

function clearShadowStatement({ collection, shadow }: ShadowedField, record: string, cells: Cells): string {
  return holdsList(shadow)
    ? `delete from ${listTableOf(shadow.id)} where record_id = ${record}`
    : `update ${tableOf(collection)} set ${assignments(cells, '')} where id = ${record}`
}

type Cells = { readonly [column: string]: CellValue }

const assignments = (cells: Cells, before: string): string =>
  Object.entries(cells)
    .map(([column, cell]) => `${before}${column} = ${cell === null ? 'null' : String(cell)}`)
    .join(before === '' ? ', ' : '; ')

function sqliteTriggers(shadowing: ShadowedField): string[] {
  const { collection, old, shadow } = shadowing
  const [table, notes] = [tableOf(collection), notesTableOf(shadow)]
  const cells = cellsOfValue(shadow, emptyValue(shadow), 'sqlite')
  const again = (record: string): string =>
    `${clearShadowStatement(shadowing, record, cells)}; ${noteStatement(notes, record)};`
  const own = [
    `create trigger ${notes}_made after insert on ${table} begin ${noteStatement(notes, 'new.id')}; end`,
    `create trigger ${notes}_removed after delete on ${table} begin
      delete from ${notes} where record_id = old.id; end`,
  ]
  if (!holdsList(old)) {
    const changed = `after update of ${columnOf(old.id)} on ${table} begin ${again('new.id')} end`
    return [...own, `create trigger ${notes}_changed ${changed}`]
  }
  const list = listTableOf(old.id)
  return [
    ...own,
    `create trigger ${notes}_listed after insert on ${list} begin ${again('new.record_id')} end`,
    `create trigger ${notes}_relisted after update on ${list} begin ${again('new.record_id')} end`,
    `create trigger ${notes}_unlisted after delete on ${list} begin ${again('old.record_id')} end`,
  ]
}

function postgresTriggers(shadowing: ShadowedField): string[] {
  const { collection, old, shadow } = shadowing
  const [table, notes] = [tableOf(collection), notesTableOf(shadow)]
  const cells = cellsOfValue(shadow, emptyValue(shadow), 'postgres')
  const body = (statements: string): string =>
    `returns trigger language plpgsql as $$ begin ${statements}; return coalesce(new, old); end $$`
  const remove = `delete from ${notes} where record_id = old.id`
  const removing = [
    `create function ${notes}_delete() ${body(remove)}`,
    `create trigger ${notes}_delete after delete on ${table} for each row execute function ${notes}_delete()`,
  ]
  if (holdsList(old)) {
    const record = 'coalesce(new.record_id, old.record_id)'
    return [
      ...removing,
      `create function ${notes}_list() ${body(`${clearShadowStatement(shadowing, record, cells)}; ${noteStatement(notes, record)}`)}`,
      `create trigger ${notes}_list after insert or update or delete on ${listTableOf(old.id)}
        for each row execute function ${notes}_list()`,
      `create function ${notes}_write() ${body(noteStatement(notes, 'new.id'))}`,
      `create trigger ${notes}_write after insert on ${table} for each row execute function ${notes}_write()`,
    ]
  }
  const emptying = holdsList(shadow)
    ? clearShadowStatement(shadowing, 'new.id', cells)
    : assignments(cells, 'new.').replaceAll(' = ', ' := ')
  return [
    ...removing,
    `create function ${notes}_write() ${body(`${emptying}; ${noteStatement(notes, 'new.id')}`)}`,
    `create trigger ${notes}_write before insert or update of ${columnOf(old.id)} on ${table}
      for each row execute function ${notes}_write()`,
  ]
}

/** Records written since their conversion or not converted yet. */
export async function pendingRecords({ db }: Transaction, shadow: Field, limit: number): Promise<RecordId[]> {
  const { rows } = await sql<{ id: string }>`
    select record_id as id from ${sql.table(notesTableOf(shadow))} where is_lost = 0 order by record_id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export async function markConverted(
  transaction: Transaction,
  shadow: Field,
  { converted, lost }: { readonly converted: readonly RecordId[]; readonly lost: readonly RecordId[] },
): Promise<void> {
  if (converted.length === 0) return
  const table = notesTableOf(shadow)
  await sql`delete from ${sql.table(table)} where record_id in (${sql.join([...converted])})`.execute(transaction.db)
  await insertRows(transaction, { table, columns: ['record_id', 'is_lost'], rows: lost.map((id) => [id, 1]) })
}

export async function countLost(reader: Reader, shadow: Field): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(notesTableOf(shadow))} where is_lost = 1`.execute(reader)
  return Number(rows[0]?.count ?? 0)
}

export async function sampleLost(reader: Reader, shadow: Field, limit: number): Promise<RecordId[]> {
  const { rows } = await sql<{ id: string }>`
    select record_id as id from ${sql.table(notesTableOf(shadow))} where is_lost = 1 limit ${limit}`.execute(reader)
  return rows.map(({ id }) => id)
}
