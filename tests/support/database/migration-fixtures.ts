import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { idLowerBound, seqIntegerOf, seqOf } from '#domain/shared/ids.ts'
import { foldText } from '#domain/shared/text.ts'
import type { Config } from '#server/platform/config/config.ts'
import { type Database, type Dialect, DIALECT_TYPES, type Transaction } from '#server/platform/database/database.ts'
import { ALL_MIGRATIONS, migrate } from '#server/platform/database/migrations/migrate.ts'
import { openDiskStorage } from '#server/platform/storage/disk/disk-storage.ts'
import { hashPassword } from '#server/identity/passwords/password-hash.ts'
import { OWNER } from '#tests/support/server/test-workspace.ts'

const AT = '2026-01-01T10:00:00.000Z'
const id = (end: string): string => `01g000000000000000000000${end}`

const [USER, VIEWER, COLLECTION, FILE] = [id('u1'), id('u2'), id('c1'), id('a1')] as const
const [TITLE, NOTES, SIZE] = [id('f1'), id('f2'), id('f3')] as const
const [DONE, DAY, FILES] = [id('f4'), id('f5'), id('f6')] as const
const RECORDS = [id('r1'), id('r2')]
const BYTES = Buffer.from('bytes of long ago')
const HASH = createHash('sha256').update(BYTES).digest('hex')

/** What users see of the fixture. */
export const EXPECTED_CONTENT = {
  values: [
    { title: 'Ä first', notes: 'with\ntwo lines', size: 0.5, done: true, day: '2026-01-02', files: [FILE] },
    { title: 'Second', notes: null, size: null, done: false, day: null, files: [] },
  ],
  file: { id: FILE, text: BYTES.toString() },
  viewer: 'viewer@example.org',
} as const

/** Fills a database at this migration with users, a session, a collection with records, a view and a file. */
export async function createFixtureAt(
  migration: number,
  database: Database,
  { dataFolder }: Pick<Config, 'dataFolder'>,
): Promise<void> {
  const migrations = ALL_MIGRATIONS.filter(({ number }) => number <= migration)
  await migrate(database, { migrations, now: new Date(AT) })
  const passwordHash = await hashPassword(OWNER.password)
  await database.write(async (transaction) => {
    for (const [user, email, role] of [
      [USER, OWNER.email, 'owner'],
      [VIEWER, EXPECTED_CONTENT.viewer, 'viewer'],
    ] as const) {
      await insert(transaction, 'users', { ...person, id: user, email, email_fold: email, password_hash: passwordHash })
      await insert(transaction, 'user_roles', { user_id: user, role_id: role })
    }
    await insert(transaction, 'sessions', session)
    await createCollection(transaction)
    await createRecords(transaction)
    await insert(transaction, 'views', view)
    if (migration >= 42) await insert(transaction, 'view_positions', position)
    if (migration >= 38) await insert(transaction, 'dashboards', dashboard)
    await insert(transaction, 'blobs', { hash: HASH, bytes: BYTES.length, used_at: AT, going_at: null })
    await insert(transaction, 'assets', asset)
  })
  await storeBlob(dataFolder, BYTES)
}

type Cells = { readonly [column: string]: string | number | null }

async function insert({ db }: Transaction, table: string, cells: Cells): Promise<void> {
  await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(cells).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(cells))})`.execute(db)
}

const person: Cells = { name: 'Öwner', name_fold: 'owner', created_at: AT }

const session: Cells = {
  id: id('s1'),
  user_id: USER,
  kind: 'browser',
  counter: 1,
  refresh_salt: 'key',
  rotated_at: AT,
  successor_seen: 1,
  created_at: AT,
  used_at: AT,
  ends_at: AT,
  user_agent: '',
  address: '',
}

const asset: Cells = {
  id: FILE,
  user_id: USER,
  hash: HASH,
  name: 'old.txt',
  name_fold: 'old.txt',
  type: 'text/plain',
  bytes: BYTES.length,
  created_at: AT,
  collection_id: COLLECTION,
  field_id: FILES,
  record_id: RECORDS[0] ?? '',
  ending: 'txt',
}

const view: Cells = {
  id: id('v1'),
  collection_id: COLLECTION,
  owner_id: USER,
  name: 'Old view',
  is_shared: 1,
  is_locked: 0,
  position: 0,
  content: JSON.stringify({}),
  version: 1,
  created_at: AT,
  updated_at: AT,
}

const position: Cells = { view_id: id('v1'), record_id: RECORDS[1] ?? '', order_key: '!a0' }

const dashboard: Cells = {
  id: id('d1'),
  owner_id: USER,
  name: 'Old dashboard',
  is_shared: 1,
  position: 0,
  items: JSON.stringify([{ id: id('i1'), collection: COLLECTION, view: id('v1'), width: 6, height: 'medium' }]),
  version: 1,
  created_at: AT,
  updated_at: AT,
  deleted_at: null,
}

const FIELDS = [
  { id: TITLE, name: 'title', kind: 'text', is_unique: 1 },
  { id: NOTES, name: 'notes', kind: 'long-text', is_unique: 0 },
  { id: SIZE, name: 'size', kind: 'number', is_unique: 0 },
  { id: DONE, name: 'done', kind: 'checkbox', is_unique: 0 },
  { id: DAY, name: 'day', kind: 'date', is_unique: 0 },
  { id: FILES, name: 'files', kind: 'files', is_unique: 0 },
] as const

/** Rows of a workspace that version 0.2.0 filled on 27 November 2026, by table; the owner's password hash is left out. */
const WORKSPACE_0_2_0 = new URL('workspace-0.2.0.json', import.meta.url)

/** The contents of the files in that workspace. */
const FILES_0_2_0 = ['file 1', 'file 2']

/** Fills a database with the workspace of version 0.2.0, as if it had been used yesterday; returns its rows. */
export async function createWorkspace020(
  database: Database,
  { dataFolder }: Pick<Config, 'dataFolder'>,
): Promise<{ readonly [table: string]: readonly Cells[] }> {
  await migrate(database, { migrations: ALL_MIGRATIONS.filter(({ number }) => number <= 28) })
  const tables: { readonly [table: string]: readonly Cells[] } = JSON.parse(
    filledYesterday(await readFile(WORKSPACE_0_2_0, 'utf8')),
  )
  const passwordHash = await hashPassword(OWNER.password)
  await database.write(async (transaction) => {
    const { dialect, db } = transaction
    for (const [table, rows] of Object.entries(tables)) {
      if (table.startsWith('c_')) await createRecordTables(transaction, table, tables['fields'] ?? [])
      for (const { seq, ...cells } of rows) {
        const key = dialect === 'sqlite' && seq !== undefined ? { seq: seqOf(String(cells['id'])) } : {}
        await insert(transaction, table, {
          ...cells,
          ...key,
          ...(table === 'users' && { password_hash: passwordHash }),
        })
      }
    }
    await sql`update workspace set value = '6' where name = 'definitions-version'`.execute(db)
  })
  for (const content of FILES_0_2_0) await storeBlob(dataFolder, Buffer.from(content))
  return tables
}

const DAY_MS = 24 * 60 * 60 * 1000
/** The bits after the time in a sequence number. */
const COUNT_BITS = 20n

/** Moves all times to yesterday, also those at the beginning of IDs. */
function filledYesterday(text: string): string {
  const day = '2026-11-27'
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
  const later = Date.parse(yesterday) - Date.parse(day)
  return text.replaceAll(day, yesterday).replaceAll(/01m8e[0-9a-z]{21}/g, (old) => {
    const start = idLowerBound(Number(seqIntegerOf(old) >> COUNT_BITS) + later)
    return start + old.slice(start.length)
  })
}

async function createRecordTables(
  { dialect, db }: Transaction,
  table: string,
  fields: readonly Cells[],
): Promise<void> {
  const { text } = DIALECT_TYPES[dialect]
  const columnsOf = ({ id, kind }: Cells): readonly string[] => {
    if (kind === 'files' || kind === 'relation') return []
    if (kind === 'number') return [`f_${id} ${dialect === 'sqlite' ? 'real' : 'double precision'}`]
    return [`f_${id} ${text}`, ...(kind === 'state' ? [] : [`f_${id}_fold ${text}`])]
  }
  const lists = fields.filter((field) => columnsOf(field).length === 0).map(({ id }) => `l_${id}`)
  for (const statement of [
    ...recordTable(table, dialect, fields.flatMap(columnsOf)),
    ...lists.flatMap((list) => listTable(list, table, text)),
  ])
    await sql.raw(statement).execute(db)
}

function recordTable(table: string, dialect: Dialect, columns: readonly string[]): readonly string[] {
  const { text } = DIALECT_TYPES[dialect]
  const key =
    dialect === 'sqlite'
      ? 'seq integer primary key not null, id text not null unique'
      : `id ${text} primary key not null`
  return [
    `create table ${table} (${key}, version integer not null, created_at ${text} not null, created_by ${text},
      updated_at ${text} not null, updated_by ${text}, import_id ${text}, ${columns.join(', ')})`,
    `create index ${table}_import on ${table} (import_id) where import_id is not null`,
  ]
}

const listTable = (list: string, table: string, text: string): readonly string[] => [
  `create table ${list} (record_id ${text} not null references ${table} (id) on delete cascade,
    position integer not null, value ${text} not null, primary key (record_id, position))`,
  `create index ${list}_value on ${list} (value)`,
]

async function storeBlob(dataFolder: string, bytes: Buffer): Promise<void> {
  const hash = createHash('sha256').update(bytes).digest('hex')
  const path = openDiskStorage(join(dataFolder, 'blobs')).pathOf(hash) ?? ''
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
}

/** The definition and its tables, in the layout of `server/schema/collections/tables-store.ts`. */
async function createCollection(transaction: Transaction): Promise<void> {
  const { dialect, db } = transaction
  const { text } = DIALECT_TYPES[dialect]
  const [real, truth] =
    dialect === 'sqlite'
      ? ['real', 'integer not null default 0']
      : ['double precision', 'boolean not null default false']
  await insert(transaction, 'collections', {
    id: COLLECTION,
    name: 'cases',
    label: 'Cases',
    position: 0,
    title_field: TITLE,
    version: 1,
  })
  for (const [position, field] of FIELDS.entries()) {
    const rest = { collection_id: COLLECTION, label: field.name, position, required: 0 }
    const asDefault = field.kind === 'checkbox' ? 'false' : 'null'
    await insert(transaction, 'fields', { ...field, id: field.id, ...rest, default_value: asDefault, options: '{}' })
  }
  const table = `c_${COLLECTION}`
  const columns = [
    ...[TITLE, NOTES].flatMap((field) => [`f_${field} ${text}`, `f_${field}_fold ${text}`]),
    `f_${SIZE} ${real}`,
    `f_${DONE} ${truth}`,
    `f_${DAY} ${text}`,
  ]
  for (const statement of [
    ...recordTable(table, dialect, columns),
    ...listTable(`l_${FILES}`, table, text),
    `create unique index u_${TITLE} on ${table} (f_${TITLE})`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}

async function createRecords(transaction: Transaction): Promise<void> {
  for (const [at, { title, notes, size, done, day, files }] of EXPECTED_CONTENT.values.entries()) {
    const record = RECORDS[at] ?? ''
    await insert(transaction, `c_${COLLECTION}`, {
      ...(transaction.dialect === 'sqlite' && { seq: at + 1 }),
      id: record,
      version: 1,
      created_at: AT,
      created_by: USER,
      updated_at: AT,
      updated_by: USER,
      [`f_${TITLE}`]: title,
      [`f_${TITLE}_fold`]: foldText(title),
      [`f_${NOTES}`]: notes,
      [`f_${NOTES}_fold`]: notes === null ? null : foldText(notes),
      [`f_${SIZE}`]: size,
      [`f_${DONE}`]: transaction.dialect === 'sqlite' ? Number(done) : String(done),
      [`f_${DAY}`]: day,
    })
    for (const file of files) await insert(transaction, `l_${FILES}`, { record_id: record, position: 0, value: file })
    const entry = { kind: 'record-created', collection_id: COLLECTION, record_id: record, user_id: USER }
    await insert(transaction, 'changes', { id: id(`e${at}`), at: AT, ...entry })
  }
}
