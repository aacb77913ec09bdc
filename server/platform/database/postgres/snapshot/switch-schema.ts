import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { Client } from 'pg'
import { Problem } from '#domain/shared/problem.ts'
import type { SchemaSwitch, SnapshotFacts } from '#server/platform/database/snapshots/snapshot-types.ts'
import { type DescribedTable, quoteName } from './describe-schema.ts'
import { LISTENER_NAMES } from '#server/platform/database/postgres/notifications.ts'
import { connectWithoutTimeouts, readBack, SCHEMA_FILE, tableFile, type WrittenSchema } from './write-snapshot.ts'

/** Advisory lock that serializes server starts, migrations and restores. */
const LOCK_MIGRATIONS = "select pg_advisory_lock(hashtextextended('dossier migrations', 0))"

export function databaseName(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

async function currentTransaction(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return rows[0]?.id ?? ''
}

/** Whether a transaction was committed. Waits for a running transaction, which holds the lock. */
export async function isCommitted(url: string, id: string): Promise<boolean> {
  const client = await connectWithoutTimeouts(url)
  try {
    await client.query(LOCK_MIGRATIONS)
    const { rows } = await client.query<{ status: string | null }>('select pg_xact_status($1::xid8) as status', [id])
    const status = rows[0]?.status
    if (status === 'committed' || status === 'aborted') return status === 'committed'
  } finally {
    await client.end()
  }
  throw new Problem(
    'not-ready',
    `PostgreSQL no longer knows whether transaction ${id} of an interrupted restore was committed. Nothing was changed. Check the data, delete restore-journal.json and the folder restoring in the data folder, and run the restore again with --replace if the data wasn't restored.`,
  )
}

/** Maximum size of rows sent in one message, in characters. */
const MAX_BATCH_CHARACTERS = 4_000_000

/** Replaces all tables in one transaction; its ID is reported before the commit. */
export async function switchSchema(url: string, request: SchemaSwitch): Promise<SnapshotFacts> {
  const client = await connectWithoutTimeouts(url)
  try {
    // A server that starts in the meantime waits before it applies migrations and then sees the new tables.
    await client.query(LOCK_MIGRATIONS)
    await assertNoServers(client)
    await client.query('begin')
    const facts = await switchWithinTransaction(client, request)
    await request.beforeCommit({ id: await currentTransaction(client), database: databaseName(url) })
    await client.query('commit')
    await client.query('analyze')
    return facts
  } finally {
    await client.end()
  }
}

async function switchWithinTransaction(
  client: Client,
  { from, putAside: name, ...request }: SchemaSwitch,
): Promise<SnapshotFacts> {
  if (name === undefined) await assertEmptySchema(client)
  else await renameSchema(client, name)
  const rows =
    'schema' in from
      ? await restoreRenamedSchema(client, from.schema)
      : await restoreTables(client, from.folder, request.say)
  const { rows: steps } = await client.query<{ last: number | null }>('select max(number)::int as last from migrations')
  const facts: SnapshotFacts = { dialect: 'postgres', migration: steps[0]?.last ?? 0, rows }
  for (const statement of request.finally(facts)) await client.query(statement)
  return facts
}

/** Detects running servers by their connection name, because they would continue with stale caches. */
async function assertNoServers(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select from pg_stat_get_activity(null) where application_name like '${LISTENER_NAMES}'
      and datid = (select oid from pg_database where datname = current_database())`,
  )
  if (rows.length === 0) return
  throw new Problem(
    'not-ready',
    `DATABASE_URL: ${rows.length} servers are using this database. Nothing was changed. Stop them, then try again.`,
  )
}

const TABLES = `select relname::text as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm') order by relname`

async function assertEmptySchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(TABLES)
  if (rows.length === 0) return
  throw new Problem(
    'not-ready',
    `DATABASE_URL: the database isn't empty: it has ${rows.length} tables, such as ${rows[0]?.name}. Nothing was changed. Use an empty database, or add --replace to move the existing data aside.`,
  )
}

const currentSchema = async (client: Client): Promise<string> => {
  const { rows } = await client.query<{ schema: string }>('select current_schema()::text as schema')
  return quoteName(rows[0]?.schema ?? 'public')
}

/** Renames the schema and its content; extensions are moved back to a schema with the original name. */
async function renameSchema(client: Client, name: string): Promise<void> {
  const schema = await currentSchema(client)
  await client.query(`alter schema ${schema} rename to ${quoteName(name)}`)
  await client.query(`create schema ${schema}`)
  await moveExtensions(client, quoteName(name), schema)
}

async function moveExtensions(client: Client, from: string, to: string): Promise<void> {
  const found = await client.query<{ name: string }>(
    'select extname::text as name from pg_extension where extnamespace = $1::regnamespace',
    [from],
  )
  for (const { name } of found.rows) await client.query(`alter extension ${quoteName(name)} set schema ${to}`)
}

async function restoreRenamedSchema(client: Client, name: string): Promise<SnapshotFacts['rows']> {
  const found = await client.query('select from pg_namespace where nspname = $1', [name])
  if (found.rows.length === 0) {
    throw new Problem('not-found', `DATABASE_URL: the database has no schema ${name}. Nothing was changed.`)
  }
  const schema = await currentSchema(client)
  await moveExtensions(client, schema, quoteName(name))
  await client.query(`drop schema ${schema}`)
  await client.query(`alter schema ${quoteName(name)} rename to ${schema}`)
  const tables = await client.query<{ name: string }>(TABLES)
  const rows: Record<string, number> = {}
  for (const table of tables.rows) {
    const counted = await client.query<{ count: number }>(`select count(*)::int as count from ${quoteName(table.name)}`)
    rows[table.name] = counted.rows[0]?.count ?? 0
  }
  return rows
}

async function restoreTables(
  client: Client,
  folder: string,
  say: (line: string) => void,
): Promise<SnapshotFacts['rows']> {
  // Trusted, because its hash has been verified and Dossier wrote it.
  const schema = JSON.parse(await readFile(join(folder, SCHEMA_FILE), 'utf8')) as WrittenSchema
  // Functions are created in the order of their names, before those that they call.
  await client.query('set local check_function_bodies = off')
  for (const statement of schema.before) await client.query(statement)
  const rows: Record<string, number> = {}
  for (const table of schema.tables) {
    await client.query(table.create)
    await restoreRows(client, table, join(folder, tableFile(table.name)))
    const { count, sum } = await readBack(client, table)
    if (sum !== table.sum) throw new Error(`The restored rows of ${table.name} don't match the backup.`)
    rows[table.name] = count
  }
  say('Rows restored. Creating keys and indexes …')
  for (const statement of schema.after) await client.query(statement)
  return rows
}

async function restoreRows(client: Client, { name, columns }: DescribedTable, path: string): Promise<void> {
  const names = columns.map((column) => quoteName(column.name)).join(', ')
  const cells = columns.map(({ type }, at) => `(line ->> ${at})::${type}`).join(', ')
  const insert = `insert into ${quoteName(name)} (${names}) overriding system value
    select ${cells} from jsonb_array_elements($1::jsonb) as each (line)`
  for await (const lines of bundled(path)) await client.query(insert, [`[${lines.join(',')}]`])
}

async function* bundled(path: string): AsyncGenerator<readonly string[]> {
  let rest = ''
  // Rows end with `\n` only; text can contain other line separators.
  for await (const text of createReadStream(path).pipe(createGunzip()).setEncoding('utf8')) {
    rest += String(text)
    if (rest.length < MAX_BATCH_CHARACTERS) continue
    const end = rest.lastIndexOf('\n')
    if (end >= 0) yield rest.slice(0, end).split('\n')
    rest = rest.slice(end + 1)
  }
  if (rest !== '') yield rest.trimEnd().split('\n')
}
