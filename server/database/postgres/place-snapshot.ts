import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { Client } from 'pg'
import { Problem } from '#domain/shared/problem.ts'
import type { SnapshotFacts, SnapshotReturn } from '../snapshot-parts.ts'
import { type DescribedTable, quoteName } from './describe-schema.ts'
import { connectPatiently, readBack, SCHEMA_FILE, tableFile, type WrittenSchema } from './write-snapshot.ts'

/** Rows are sent until so many characters of them have come together. */
const SENT_AT_ONCE = 4_000_000

/** Puts a snapshot into a database in one transaction: it is there as a whole, or nothing of it is. */
export async function placePostgresSnapshot(url: string, back: SnapshotReturn): Promise<SnapshotFacts['rows']> {
  const client = await connectPatiently(url)
  try {
    // A server that starts meanwhile waits with its migrations, and then finds what was put here.
    await client.query("select pg_advisory_lock(hashtextextended('dossier migrations', 0))")
    await client.query('begin')
    if (back.putAside === undefined) await refuseFull(client)
    else await putAside(client, back.putAside)
    const rows = await placeAll(client, back)
    for (const statement of back.finally) await client.query(statement)
    await client.query('commit')
    await client.query('analyze')
    return rows
  } finally {
    await client.end()
  }
}

const TABLES = `select relname::text as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm') order by relname`

async function refuseFull(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(TABLES)
  if (rows.length === 0) return
  throw new Problem(
    'not-ready',
    `The database of DATABASE_URL is not empty: it has ${rows.length} tables, such as ${rows[0]?.name}. Nothing was changed. Name an empty one, or add --replace to put aside what is there.`,
  )
}

/** Gives the schema with all that is in it another name; extensions stay where everybody finds them. */
async function putAside(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ schema: string }>('select current_schema()::text as schema')
  const schema = quoteName(rows[0]?.schema ?? 'public')
  await client.query(`alter schema ${schema} rename to ${quoteName(name)}`)
  await client.query(`create schema ${schema}`)
  const found = await client.query<{ name: string }>(
    'select extname::text as name from pg_extension where extnamespace = $1::regnamespace',
    [quoteName(name)],
  )
  for (const extension of found.rows) {
    await client.query(`alter extension ${quoteName(extension.name)} set schema ${schema}`)
  }
}

async function placeAll(client: Client, { folder, say }: SnapshotReturn): Promise<SnapshotFacts['rows']> {
  // It was compared with its hash before, and this program or an older one wrote it.
  const schema = JSON.parse(await readFile(join(folder, SCHEMA_FILE), 'utf8')) as WrittenSchema
  for (const statement of schema.before) await client.query(statement)
  const rows: Record<string, number> = {}
  for (const table of schema.tables) {
    await client.query(table.create)
    await placeRows(client, table, join(folder, tableFile(table.name)))
    const { count, sum } = await readBack(client, table)
    if (sum !== table.sum) throw new Error(`The rows of ${table.name} did not come back as they were written.`)
    rows[table.name] = count
  }
  say('The rows are there; their keys and indexes are made …')
  for (const statement of schema.after) await client.query(statement)
  return rows
}

async function placeRows(client: Client, { name, columns }: DescribedTable, path: string): Promise<void> {
  const names = columns.map((column) => quoteName(column.name)).join(', ')
  const cells = columns.map(({ type }, at) => `(line ->> ${at})::${type}`).join(', ')
  const insert = `insert into ${quoteName(name)} (${names}) overriding system value
    select ${cells} from jsonb_array_elements($1::jsonb) as each (line)`
  for await (const lines of bundled(path)) await client.query(insert, [`[${lines.join(',')}]`])
}

/** The lines of a packed file, as many at a time as may be sent together. */
async function* bundled(path: string): AsyncGenerator<readonly string[]> {
  let rest = ''
  // Texts hold every other character that ends a line somewhere; only this one ends a row.
  for await (const text of createReadStream(path).pipe(createGunzip()).setEncoding('utf8')) {
    rest += String(text)
    if (rest.length < SENT_AT_ONCE) continue
    const end = rest.lastIndexOf('\n')
    if (end >= 0) yield rest.slice(0, end).split('\n')
    rest = rest.slice(end + 1)
  }
  if (rest !== '') yield rest.trimEnd().split('\n')
}
