import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Client } from 'pg'
import type { SnapshotFacts, SnapshotRequest } from '#server/platform/database/snapshots/snapshot-types.ts'
import { type DescribedSchema, type DescribedTable, describeSchema, quoteName } from './describe-schema.ts'

export const SCHEMA_FILE = 'schema.json'
const TABLES_FOLDER = 'tables'

/** Holding this lock in shared mode blocks definition changes, but nothing else. */
const HOLD_DEFINITIONS = "select pg_advisory_lock_shared(hashtextextended('dossier definitions', 0))"

const WAIT_MS = 120_000

/** Characters fetched per request: a few large documents or thousands of small rows. */
const MAX_FETCH_CHARACTERS = 4_000_000
const MAX_FETCH_ROWS = 5000
const FIRST_ROWS = 50

/** Fast, and still compresses to a quarter of the original size. */
const COMPRESSION = { level: 3 }

export async function connectWithoutTimeouts(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'dossier backup', keepAlive: true })
  await client.connect()
  await client.query(
    `set time zone 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601'; set bytea_output = 'hex';
     set extra_float_digits = 1; set statement_timeout = 0; set lock_timeout = ${WAIT_MS};
     set idle_in_transaction_session_timeout = 0`,
  )
  return client
}

/** Writes all tables from one snapshot; each row is a JSON line with its cells in PostgreSQL's text format. */
export async function writePostgresSnapshot(url: string, request: SnapshotRequest): Promise<SnapshotFacts> {
  const client = await connectWithoutTimeouts(url)
  try {
    await client.query(HOLD_DEFINITIONS)
    await client.query('begin isolation level repeatable read read only')
    return await writeAll(client, request)
  } finally {
    await client.end()
  }
}

async function writeAll(client: Client, { folder, lists, say }: SnapshotRequest): Promise<SnapshotFacts> {
  const schema = await describeSchema(client)
  await mkdir(join(folder, TABLES_FOLDER), { mode: 0o700 })
  const tables: WrittenTable[] = []
  for (const table of schema.tables) {
    const tell = (count: number): void => say(`${table.name}: ${count.toLocaleString('en')} rows …`)
    tables.push({ ...table, ...(await writeTable(client, table, { path: join(folder, tableFile(table.name)), tell })) })
  }
  const written: WrittenSchema = { ...schema, tables }
  await writeFile(join(folder, SCHEMA_FILE), JSON.stringify(written, null, 1), { mode: 0o600, flush: true })
  for (const { file, query } of lists) {
    const lines = linesOf(client, `select x.item as line from (${query}) as x (item)`)
    await pipeline(Readable.from(lines), createWriteStream(join(folder, file), { mode: 0o600, flush: true }))
  }
  const { rows: steps } = await client.query<{ last: string | null }>('select max(number) as last from migrations')
  const rows = Object.fromEntries(tables.map(({ name, count }) => [name, count]))
  return { dialect: 'postgres', migration: Number(steps[0]?.last ?? 0), rows }
}

export const tableFile = (table: string): string => join(TABLES_FOLDER, `${encodeURIComponent(table)}.jsonl.gz`)

type Lines = { readonly count: number; readonly sum: string }

export type WrittenTable = DescribedTable & Lines

export type WrittenSchema = Omit<DescribedSchema, 'tables'> & { readonly tables: readonly WrittenTable[] }

type Target = { readonly path: string; readonly tell: (count: number) => void }

const rowsOf = ({ name, columns }: DescribedTable): string =>
  `select to_json(array[${columns.map((column) => `${quoteName(column.name)}::text`).join(', ')}]::text[])::text as line
   from ${quoteName(name)}`

async function writeTable(client: Client, table: DescribedTable, { path, tell }: Target): Promise<Lines> {
  const sum = createHashSum()
  const summed = async function* (): AsyncGenerator<string> {
    for await (const lines of fetched(client, rowsOf(table))) {
      yield sum.add(lines)
      if (sum.count() > MAX_FETCH_ROWS) tell(sum.count())
    }
  }
  const out = createWriteStream(path, { mode: 0o600, flush: true })
  await pipeline(Readable.from(summed()), createGzip(COMPRESSION), out)
  return sum.end()
}

/** Reads a restored table and returns its checksum, to compare it with the backup. */
export async function readBack(client: Client, table: DescribedTable): Promise<Lines> {
  const sum = createHashSum()
  for await (const lines of fetched(client, rowsOf(table))) sum.add(lines)
  return sum.end()
}

const HASHES = 2n ** 256n

/** Sums up line hashes, because restored rows can be in a different order. */
function createHashSum() {
  let [count, sum] = [0, 0n]
  return {
    add: (lines: readonly string[]): string => {
      for (const line of lines) sum += BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)
      count += lines.length
      return lines.map((line) => `${line}\n`).join('')
    },
    count: () => count,
    end: (): Lines => ({ count, sum: (sum % HASHES).toString(16).padStart(64, '0') }),
  }
}

async function* linesOf(client: Client, select: string): AsyncGenerator<string> {
  for await (const lines of fetched(client, select)) if (lines.length > 0) yield `${lines.join('\n')}\n`
}

async function* fetched(client: Client, select: string): AsyncGenerator<readonly string[]> {
  await client.query(`declare walk no scroll cursor for ${select}`)
  let wanted = FIRST_ROWS
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${wanted} from walk`)
    yield rows.map(({ line }) => line)
    if (rows.length < wanted) break
    const length = rows.reduce((sum, { line }) => sum + line.length, 0)
    const fitting = Math.floor((MAX_FETCH_CHARACTERS * rows.length) / Math.max(1, length))
    wanted = Math.max(1, Math.min(MAX_FETCH_ROWS, fitting))
  }
  await client.query('close walk')
}
