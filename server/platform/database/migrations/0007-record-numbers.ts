import { sql } from 'kysely'
import type { Transaction } from '#server/platform/database/database.ts'
import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/**
 * On SQLite every record gets a number in the order of ids as the key of its row. SQLite cannot change a key, so the
 * tables of collections, and those of lists, which refer to them, are made anew; their columns keep their order.
 */
export const recordNumbers: Migration = {
  number: 7,
  name: 'record-numbers',
  apply: async (transaction) => {
    if (transaction.dialect === 'sqlite') await numberAll(transaction)
  },
}

async function numberAll(transaction: Transaction): Promise<void> {
  const collections = await transaction.db.selectFrom('collections').select('id').execute()
  for (const { id } of collections) await numberCollection(transaction, `c_${id}`)
}

/**
 * Tables of lists are copied before the old table goes: dropping it would take their entries along. Renaming a table
 * renames it in the tables that refer to it.
 */
async function numberCollection(transaction: Transaction, table: string): Promise<void> {
  const lists = await listsOf(transaction, table)
  const indexes = await Promise.all([table, ...lists].map((each) => indexesOf(transaction, each)))
  const fresh = `new_${table}`
  await runStatements(transaction, [
    ...(await copyNumbered(transaction, table, fresh)),
    ...lists.flatMap((list) => copyList(list, fresh)),
    `drop table ${table}`,
    `alter table ${fresh} rename to ${table}`,
    ...indexes.flat(),
  ])
}

async function copyNumbered(transaction: Transaction, table: string, fresh: string): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select name, name || ' ' || type || iif("notnull", ' not null', '') || iif(dflt_value is null, '', ' default ' || dflt_value)
      as definition
    from pragma_table_info(${table}) order by cid`.execute(transaction.db)
  const definitions = rows.map(({ name, definition }) => (name === 'id' ? 'id text not null unique' : definition))
  const names = rows.map(({ name }) => name).join(', ')
  return [
    `create table ${fresh} (seq integer primary key not null, ${definitions.join(', ')})`,
    `insert into ${fresh} (seq, ${names}) select seq, ${names} from (${numbered(table)}) order by seq`,
  ]
}

/** The first 14 digits of an id as a number, as new records are numbered by. */
const DIGITS = Array.from(
  { length: 14 },
  (_, place) => `((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, ${place + 1}, 1)) - 1) << ${(13 - place) * 5})`,
).join(' + ')

/** Ids from before share those digits where many were made at once; each then gets at least one more than the one before. */
const numbered = (table: string): string => `
  select max(ahead) over (order by id rows unbounded preceding) + place as seq, *
  from (select ${DIGITS} - row_number() over (order by id) as ahead, row_number() over (order by id) as place, * from ${table})`

const copyList = (list: string, fresh: string): string[] => [
  `create table new_${list} (
    record_id text not null references ${fresh} (id) on delete cascade,
    position integer not null,
    value text not null,
    primary key (record_id, position)
  )`,
  `insert into new_${list} (record_id, position, value) select record_id, position, value from ${list}`,
  `drop table ${list}`,
  `alter table new_${list} rename to ${list}`,
]

async function listsOf({ db }: Transaction, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select m.name from sqlite_schema as m join pragma_foreign_key_list(m.name) as f
    where m.type = 'table' and m.name glob 'l_*' and f."table" = ${table}`.execute(db)
  return rows.map(({ name }) => name)
}

async function indexesOf({ db }: Transaction, table: string): Promise<string[]> {
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_schema where type = 'index' and tbl_name = ${table} and sql is not null`.execute(db)
  return rows.map((row) => row.sql)
}
