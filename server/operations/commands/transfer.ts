import { createChangeFeed } from '#server/platform/events/change-feed.ts'
import { definitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { openLog } from '#server/platform/http/logging.ts'
import { createImports, type ImportRouteDeps, type ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { createRightsResolver } from '#server/access/rights/rights.ts'
import { createAccessRulesCache } from '#server/access/rights/access-rules-cache.ts'
import { createListCache } from '#server/query/cache/list-cache.ts'
import type { CommandDeps, Command } from './command.ts'
import { createWriteStream, createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { exportRecords as endpoint, type ImportBody } from '#api/imports.ts'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { depsAsOf } from '#server/records/as-of/as-of.ts'
import { UNSEALED } from '#server/records/crud/sealed-cursors.ts'
import { exportRecords } from '#server/transfer/export-records.ts'
import { copyFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { cancelImport } from '#server/transfer/imports/cancel-import.ts'
import { importInto, planNewCollection } from '#server/transfer/imports/import-into.ts'
import { readImport, showImport } from '#server/transfer/imports/show-import.ts'
import { errorsPathOf, isThere, removeFiles } from '#server/transfer/imports/staged-files.ts'
import { startImport } from '#server/transfer/imports/start-import.ts'
import { receiveCsv } from '#server/transfer/imports/receive-csv.ts'

/** A running server detects changes made by a command, so no notification is needed. */
function createCommandDeps({ config, database, clock, newId }: CommandDeps): ImportRouteDeps {
  const feed = createChangeFeed()
  const log = openLog('warn')
  const report = (error: unknown): void => log.warn({ err: error }, 'record query failed')
  const definitions = definitionsCache(database, () => performance.now())
  return createImports(
    {
      database,
      definitions,
      clock,
      newId,
      announce: () => undefined,
      feed,
      shapes: createListCache({ feed, nowMs: () => performance.now(), report }),
      fileAddress: () => ({ url: '', thumbUrl: null }),
      cursorSeal: UNSEALED,
    },
    { ...config, log, rightsOf: createRightsResolver(createAccessRulesCache(database)) },
  )
}

const EXPORT_USAGE =
  '<collection> [--out <file.csv>] [--filter <text>] [--sort <keys>] [--fields <names>] [--header label] [--at <time>]'

const EXPORT_OPTIONS = {
  out: { type: 'string' },
  filter: { type: 'string' },
  sort: { type: 'string' },
  search: { type: 'string' },
  fields: { type: 'string' },
  header: { type: 'string' },
  escapeFormulas: { type: 'string' },
  at: { type: 'string' },
} as const

function parseExportCall(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: EXPORT_OPTIONS,
    allowPositionals: true,
    strict: false,
  })
  const { out, ...requested } = values
  const [collection, ...more] = positionals
  const query = endpoint.query.safeParse(requested)
  const target = z.string().min(1).optional().safeParse(out)
  if (collection !== undefined && more.length === 0 && query.success && target.success) {
    return { collection, query: query.data, out: target.data }
  }
  throw new Problem('invalid-request', `Usage: npm run dossier -- export ${EXPORT_USAGE}`)
}

const EXPORT_ACTOR: Actor = { type: 'system', reason: 'export from the command line' }

export const exportCommand: Command = {
  name: 'export',
  usage: EXPORT_USAGE,
  summary: 'export the records of a collection as CSV to a file or standard output',
  run: async (deps) => {
    const { collection, query, out } = parseExportCall(deps.args)
    const exporting = await depsAsOf(createCommandDeps(deps), EXPORT_ACTOR, { collection, at: query.at })
    const { lines } = await exportRecords(exporting, EXPORT_ACTOR, collection, query)
    if (out === undefined) return print(Readable.from(lines))
    await pipeline(Readable.from(lines), createWriteStream(out))
    deps.say(`Written to ${out}.`)
    return 0
  },
}

/** The reading process (for example, `head`) may close the pipe early. */
const print = (lines: Readable): Promise<number> =>
  pipeline(lines, process.stdout, { end: false }).then(
    () => 0,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return 0
      throw error
    },
  )

const IMPORT_USAGE = '<file.csv> (--collection <name> | --new <label>) [--skip-bad-rows]'

const IMPORT_OPTIONS = {
  collection: { type: 'string' },
  new: { type: 'string' },
  'skip-bad-rows': { type: 'boolean' },
} as const

const optionsSchema = z.strictObject({
  file: z.string().min(1),
  collection: z.string().optional(),
  new: z.string().trim().min(1).max(120).optional(),
  'skip-bad-rows': z.boolean().default(false),
})

type Call = z.infer<typeof optionsSchema>

function parseImportCall(args: readonly string[]): Call {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: IMPORT_OPTIONS,
    allowPositionals: true,
    strict: false,
  })
  const [file = '', ...more] = positionals
  const call = optionsSchema.safeParse({ file, ...values })
  const isClear = call.success && (call.data.collection === undefined) !== (call.data.new === undefined)
  if (isClear && more.length === 0) return call.data
  throw new Problem('invalid-request', `Usage: npm run dossier -- import ${IMPORT_USAGE}`)
}

const IMPORT_ACTOR: Actor = { type: 'system', reason: 'import from the command line' }

const POLL_INTERVAL_MS = 500
/** Prints progress every five seconds. */
const POLLS_PER_LINE = 10

export const importCommand: Command = {
  name: 'import',
  usage: IMPORT_USAGE,
  summary: 'import a CSV into a collection, all rows or none; its header names the fields',
  run: async (deps) => {
    const call = parseImportCall(deps.args)
    await assertFileExists(call.file)
    const imports = createCommandDeps(deps)
    const { id } = await beginImport(imports, call)
    const ended = await waitForEnd(imports, id, deps.say)
    return report(imports, call, ended, deps.say)
  },
}

async function assertFileExists(file: string): Promise<void> {
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!isFile) throw new Problem('not-found', `File ${file} not found.`)
}

async function beginImport(imports: ImportDeps, call: Call): Promise<ImportBody> {
  const onBadRow = call['skip-bad-rows'] ? 'skip' : 'stop'
  const incoming = { fileName: basename(call.file), body: createReadStream(call.file) }
  if (call.collection !== undefined) {
    return importInto(imports, IMPORT_ACTOR, call.collection, { ...incoming, onBadRow })
  }
  const item = showImport(await receiveCsv(imports, IMPORT_ACTOR, incoming))
  if (!item.preview) return item
  return startImport(imports, IMPORT_ACTOR, item.id, { ...planNewCollection(call.new ?? '', item.preview), onBadRow })
}

async function waitForEnd(imports: ImportDeps, id: string, say: (line: string) => void): Promise<ImportBody> {
  const over = imports.runs.get(id)?.over.then(() => true) ?? Promise.resolve(true)
  for (let look = 1; ; look += 1) {
    const { promise: soon, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), POLL_INTERVAL_MS)
    const isOver = await Promise.race([over, soon])
    clearTimeout(timer)
    const item = await readImport(imports, IMPORT_ACTOR, id)
    if (isOver) return item
    if (look % POLLS_PER_LINE === 0) say(progressIn(item))
  }
}

function progressIn({ bytes, progress }: ImportBody): string {
  const share = Math.floor((progress.bytesRead / Math.max(1, bytes)) * 100)
  return `${share} % read, ${formatCount(progress.rowsStored)} imported`
}

const formatCount = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'record' : 'records'}`

/** Prints the result and writes rejected rows next to the source file. */
async function report(
  imports: ImportDeps,
  call: Call,
  ended: ImportBody,
  say: (line: string) => void,
): Promise<number> {
  const isDone = ended.state === 'done'
  say(
    isDone
      ? `${formatCount(ended.progress.rowsStored)} imported.`
      : `Nothing was imported. ${ended.failure ?? ''}`.trim(),
  )
  for (const { row, column, message } of ended.errors.slice(0, 5)) {
    say(`  row ${row.toLocaleString('en')}${column === '' ? '' : `, ${column}`}: ${message}`)
  }
  const errors = errorsPathOf(imports, ended.id)
  if (await isThere(errors)) {
    const beside = `${call.file.replace(/\.[^./\\]*$/, '')}-errors.csv`
    await copyFile(errors, beside)
    await removeFiles([errors])
    say(`The rows with errors are in ${beside}, each with its reason.`)
  }
  // The command can't resume a failed import, so its copy of the file is deleted.
  if (ended.state === 'failed') await cancelImport(imports, IMPORT_ACTOR, ended.id)
  return isDone ? 0 : 1
}
