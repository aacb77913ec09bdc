/**
 * Preloaded into a command or server with `--import`: numbers its disk, database and storage operations across all
 * threads, kills the process with SIGKILL at operation CRASH_AT, and logs each operation to the file CRASH_TRACE. The first
 * operation is one that matches CRASH_FROM, if it is set.
 */
import type { Client as PostgresClient } from 'pg'
import type BetterSqliteConstructor from 'better-sqlite3'
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import workers, { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

type Call = (...args: unknown[]) => unknown

/** The original `fs` functions, before patching. */
const raw = { ...fs }
const require = createRequire(import.meta.url)

const COUNTER = 'crash-points'
if (isMainThread) setEnvironmentData(COUNTER, new SharedArrayBuffer(4))
const shared = getEnvironmentData(COUNTER)
if (!(shared instanceof SharedArrayBuffer)) throw new Error('The counter of the main thread is missing.')
const counter = new Int32Array(shared)

const crashAt = Number(process.env['CRASH_AT'] ?? 0)
const crashFrom = new RegExp(process.env['CRASH_FROM'] ?? '')
const trace = process.env['CRASH_TRACE']
const dataFolder = process.env['DOSSIER_DATA'] ?? ''

function list(label: string): void {
  if (trace === undefined) return
  const file = raw.openSync(trace, 'a')
  raw.writeSync(file, `${label}\n`)
  raw.closeSync(file)
}

const die = (): void => void process.kill(process.pid, 'SIGKILL')

/** Counts an operation; returns true if the process must be killed there. */
function isReached(label: string): boolean {
  if (Atomics.load(counter, 0) === 0 && !crashFrom.test(label)) return false
  const number = Atomics.add(counter, 0, 1) + 1
  list(`${number} ${label}`)
  return number === crashAt
}

/** Performs the first half of an operation before a crash; undefined if the operation is atomic. */
type Half = (original: Call, self: unknown, args: readonly unknown[]) => unknown

type Point = {
  /** The operation's name in the log; undefined if it doesn't change anything. */
  readonly label: (args: readonly unknown[], self: unknown) => string | undefined
  readonly half?: Half
}

function patch(target: object, name: string, { label, half }: Point): void {
  const original = Reflect.get(target, name) as Call | undefined
  if (typeof original !== 'function') return
  Reflect.set(target, name, function patched(this: unknown, ...args: unknown[]): unknown {
    const said = label(args, this)
    if (said === undefined) return Reflect.apply(original, this, args)
    if (isReached(`before ${said}`)) die()
    if (half === undefined || !isReached(`half of ${said}`)) return Reflect.apply(original, this, args)
    const begun = half(original, this, args)
    if (!(begun instanceof Promise)) return die()
    return begun.then(die, die)
  })
}

const short = (path: unknown): string => String(path).replace(`${dataFolder}/`, '')
/** Functions whose second argument is also a path. */
const OF_TWO_PATHS: ReadonlySet<string> = new Set(['rename', 'copyFile', 'cp', 'link', 'symlink'])

const named =
  (name: string) =>
  (args: readonly unknown[]): string =>
    `${name} ${args
      .slice(0, OF_TWO_PATHS.has(name) ? 2 : 1)
      .map(short)
      .join(' → ')}`

// ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const halfOfData = (data: unknown): Buffer => {
  const bytes = ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(String(data))
  return bytes.subarray(0, bytes.length >> 1)
}

const writeHalf: Half = (_, __, [path, data, options]) => {
  const flag = typeof options === 'object' && options !== null ? Reflect.get(options, 'flag') : undefined
  raw.writeFileSync(String(path), halfOfData(data), { flag: typeof flag === 'string' ? flag : 'w', mode: 0o600 })
}

const copyHalf: Half = (_, __, [from, to]) => {
  raw.copyFileSync(String(from), String(to))
  raw.truncateSync(String(to), raw.statSync(String(to)).size >> 1)
}

/** Deletes only the first entry of a folder; deleting a single file is atomic. */
const removeHalf: Half = (_, __, [path]) => {
  const folder = String(path)
  if (!raw.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const [first] = raw.readdirSync(folder)
  if (first !== undefined) raw.rmSync(`${folder}/${first}`, { recursive: true, force: true })
}

const isWriting = (flags: unknown): boolean =>
  typeof flags === 'number' ? (flags & 3) !== 0 : /[wa+]/.test(typeof flags === 'string' ? flags : 'r')

const FILE_CALLS: Readonly<Record<string, Half | undefined>> = {
  writeFile: writeHalf,
  appendFile: undefined,
  rename: undefined,
  copyFile: copyHalf,
  cp: undefined,
  link: undefined,
  symlink: undefined,
  unlink: undefined,
  rm: removeHalf,
  rmdir: undefined,
  mkdir: undefined,
  truncate: undefined,
}

function patchFiles(): void {
  for (const [name, half] of Object.entries(FILE_CALLS)) {
    const point = { label: named(name), ...(half && { half }) }
    patch(fs.promises, name, point)
    patch(fs, `${name}Sync`, point)
  }
  const opening = { label: (args: readonly unknown[]) => (isWriting(args[1]) ? named('open')(args) : undefined) }
  patch(fs.promises, 'open', opening)
  patch(fs, 'openSync', opening)
  patch(fs, 'open', opening)
  // Streams write through these functions.
  const streamed: Point = {
    label: () => 'write of a stream',
    half: (_, __, [file, data]) => void raw.writeSync(Number(file), halfOfData(data)),
  }
  patch(fs, 'write', streamed)
  patch(fs, 'writev', { label: streamed.label })
}

async function patchHandles(): Promise<void> {
  const handle = await raw.promises.open(process.execPath, 'r')
  const prototype: unknown = Object.getPrototypeOf(handle)
  await handle.close()
  if (typeof prototype !== 'object' || prototype === null) return
  const half: Half = (original, self, [data]) => Reflect.apply(original, self, [halfOfData(data)])
  patch(prototype, 'write', { label: () => 'write of a handle', half })
  patch(prototype, 'truncate', { label: () => 'truncate of a handle' })
}

// ── SQLite ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const statement = (text: unknown): string => `sql ${String(text).replaceAll(/\s+/g, ' ').trim().slice(0, 80)}`

const PRAGMA = /^\s*pragma/i

/** Pragmas that change the database file; all others affect only the connection. */
const LASTING_PRAGMA = /journal_mode|checkpoint|application_id\s*=/

function patchSqlite(): void {
  const BetterSqlite = require('better-sqlite3') as typeof BetterSqliteConstructor
  const db = new BetterSqlite(':memory:')
  const prepared: object = Object.getPrototypeOf(db.prepare('select 1'))
  const connection: object = BetterSqlite.prototype
  db.close()
  const changing = (_: readonly unknown[], self: unknown): string | undefined => {
    if (typeof self !== 'object' || self === null) return undefined
    const source = String(Reflect.get(self, 'source'))
    // SQLite reports commit and rollback as read-only statements, so they are checked separately.
    const isReading = Reflect.get(self, 'readonly') === true && !/^\s*(?:commit|rollback)/i.test(source)
    return isReading || PRAGMA.test(source) ? undefined : statement(source)
  }
  for (const name of ['run', 'all', 'get']) patch(prepared, name, { label: changing })
  patch(connection, 'exec', { label: ([text]) => statement(text) })
  patch(connection, 'pragma', { label: ([text]) => (LASTING_PRAGMA.test(String(text)) ? statement(text) : undefined) })
  patch(connection, 'backup', { label: ([path]) => `sql backup to ${short(path)}` })
  patch(connection, 'close', { label: () => 'sql close' })
}

// ── PostgreSQL and S3 ────────────────────────────────────────────────────────────────────────────────────────────────

/** Sends the request and crashes before the response arrives, so the outcome is unknown. */
const unanswered: Half = (original, self, args) => {
  const answer = Reflect.apply(original, self, [...args])
  if (answer instanceof Promise) answer.catch(() => undefined)
  return new Promise<void>((resolve) => void setImmediate(() => setImmediate(resolve)))
}

/**
 * Numbers only the first statement and the commit of a transaction, because other connections can't see intermediate
 * states.
 */
function patchPostgres(): void {
  const { Client } = require('pg') as { readonly Client: typeof PostgresClient }
  const statementsOf = new WeakMap<object, number>()
  const label = ([query]: readonly unknown[], client: unknown): string | undefined => {
    const text = textOf(query)
    if (typeof client !== 'object' || client === null || (READS.test(text) && !ENDS.test(text))) return undefined
    const before = statementsOf.get(client)
    if (BEGINS.test(text)) statementsOf.set(client, 0)
    else if (ENDS.test(text)) statementsOf.delete(client)
    else if (before !== undefined) statementsOf.set(client, before + 1)
    return before === undefined || before === 0 || ENDS.test(text) ? statement(text) : undefined
  }
  patch(Client.prototype, 'query', { label })
  patch(Client.prototype, 'query', {
    label: ([query]) => (ENDS.test(textOf(query)) ? `sent ${statement(textOf(query))}` : undefined),
    half: unanswered,
  })
}

const READS = /^\s*(?:select|set|show|savepoint|release)\b/i
const BEGINS = /^\s*(?:begin|start transaction)\b/i
const ENDS = /\b(?:commit|rollback)\s*;?\s*$/i

const textOf = (query: unknown): string =>
  typeof query === 'object' && query !== null ? String(Reflect.get(query, 'text')) : String(query)

async function patchStore(): Promise<void> {
  const { S3Client } = await import('@aws-sdk/client-s3')
  patch(S3Client.prototype, 'send', {
    label: ([command]) => {
      const name = typeof command === 'object' && command !== null ? command.constructor.name : ''
      return /^(?:Get|Head|List)/.test(name) ? undefined : `store ${name}`
    },
    half: unanswered,
  })
}

/** Passes the preload argument to the server's worker threads, which don't inherit it. */
function patchThreads(): void {
  const Original = workers.Worker
  workers.Worker = class extends Original {
    constructor(file: string | URL, options: workers.WorkerOptions = {}) {
      super(file, { ...options, execArgv: ['--import', import.meta.url] })
    }
  }
}

await patchHandles()
patchFiles()
patchThreads()
syncBuiltinESMExports()
patchSqlite()
if (isMainThread && process.env['DATABASE_URL'] !== undefined) patchPostgres()
if (isMainThread && process.env['S3_ENDPOINT'] !== undefined) await patchStore()
