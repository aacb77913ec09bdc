import { createReadStream } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { ImportBody } from '#api/imports.ts'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { cancelImport } from '#server/transfer/imports/cancel-import.ts'
import { importInto, planNewCollection } from '#server/transfer/imports/import-into.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { readImport, showImport } from '#server/transfer/imports/show-import.ts'
import { errorsPathOf, isThere, removeFiles } from '#server/transfer/imports/staged-files.ts'
import { startImport } from '#server/transfer/imports/start-import.ts'
import { receiveCsv } from '#server/transfer/imports/receive-csv.ts'
import type { Command } from './command.ts'
import { createCommandDeps } from './command-deps.ts'

const USAGE = '<file.csv> (--collection <name> | --new <label>) [--skip-bad-rows]'

const OPTIONS = {
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

function parseCall(args: readonly string[]): Call {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
  })
  const [file = '', ...more] = positionals
  const call = optionsSchema.safeParse({ file, ...values })
  const isClear = call.success && (call.data.collection === undefined) !== (call.data.new === undefined)
  if (isClear && more.length === 0) return call.data
  throw new Problem('invalid-request', `Usage: npm run dossier -- import ${USAGE}`)
}

const ACTOR: Actor = { type: 'system', reason: 'import from the command line' }

const POLL_INTERVAL_MS = 500
/** A progress line every five seconds. */
const POLLS_PER_LINE = 10

export const importCommand: Command = {
  name: 'import',
  usage: USAGE,
  summary: 'import a CSV into a collection, all rows or none; its header names the fields',
  run: async (deps) => {
    const call = parseCall(deps.args)
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
    return importInto(imports, ACTOR, call.collection, { ...incoming, onBadRow })
  }
  const item = showImport(await receiveCsv(imports, ACTOR, incoming))
  if (!item.preview) return item
  return startImport(imports, ACTOR, item.id, { ...planNewCollection(call.new ?? '', item.preview), onBadRow })
}

async function waitForEnd(imports: ImportDeps, id: string, say: (line: string) => void): Promise<ImportBody> {
  const over = imports.runs.get(id)?.over.then(() => true) ?? Promise.resolve(true)
  for (let look = 1; ; look += 1) {
    const { promise: soon, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), POLL_INTERVAL_MS)
    const isOver = await Promise.race([over, soon])
    clearTimeout(timer)
    const item = await readImport(imports, ACTOR, id)
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
  // The command can't be resumed, so its copy of the file isn't kept.
  if (ended.state === 'failed') await cancelImport(imports, ACTOR, ended.id)
  return isDone ? 0 : 1
}
