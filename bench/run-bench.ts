/**
 * `npm run bench`: measures this machine against the performance budgets, a baseline server and comparable products,
 * and prints one table.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { type BenchOptions, parseOptions, USAGE } from './options.ts'
import { writeCsvFiles } from './setup/csv-files.ts'
import { type Baseline, startBaseline } from './baseline/start-baseline.ts'
import { type Bench, messageOf, type Part } from './measure.ts'
import { computedPart } from './measurements/computed.ts'
import { dropdownsPart } from './measurements/dropdowns.ts'
import { filesPart } from './measurements/files.ts'
import { firstUsePart } from './measurements/first-use.ts'
import { gridPart } from './measurements/grid-frames.ts'
import { groupPart } from './measurements/groups.ts'
import { historyPart, undoImportPart } from './measurements/history.ts'
import { slowQueriesPart } from './measurements/slow-queries.ts'
import { duringImportPart, exportPart, importPart } from './measurements/import-and-export.ts'
import { deepPart, filterPart, searchPart, sortPart } from './measurements/lists.ts'
import { openApiPart } from './measurements/openapi.ts'
import { signInPart } from './measurements/sign-in.ts'
import { collectionsPart, relationsPart, widePart } from './measurements/shapes.ts'
import { postgresClientPart } from './measurements/postgres-client.ts'
import { pagePart, readPart } from './measurements/small-reads.ts'
import { loadedPart, startPart } from './measurements/start-and-memory.ts'
import { typingPart } from './measurements/typing.ts'
import { webPart } from './measurements/web-weight.ts'
import { viewsPart } from './measurements/views.ts'
import { createPart, updatePart } from './measurements/writes.ts'
import { joinRows, tableOf } from './report/print-table.ts'
import type { BenchResult, Row } from './report/result.ts'
import { openEnvironment, type Environment } from './setup/environment.ts'

/**
 * Startup measurements run first, because they restart the server; writes run late, because other measurements count
 * records; the last parts add hundreds of collections.
 */
const PARTS: readonly Part[] = [
  webPart,
  importPart,
  startPart,
  readPart,
  pagePart,
  sortPart,
  filterPart,
  searchPart,
  deepPart,
  groupPart,
  gridPart,
  viewsPart,
  typingPart,
  dropdownsPart,
  openApiPart,
  slowQueriesPart,
  updatePart,
  createPart,
  postgresClientPart,
  historyPart,
  firstUsePart,
  computedPart,
  duringImportPart,
  exportPart,
  filesPart,
  signInPart,
  loadedPart,
  widePart,
  relationsPart,
  collectionsPart,
  undoImportPart,
]

/** Time limit for one run. */
const LONGEST_MS = 90 * 60 * 1000

const startedAt = performance.now()

const tell = (text: string): boolean =>
  process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${text}\n`)

/** Runs one benchmark part; if it fails, the error becomes a result row and the other parts still run. */
async function runPart({ name, run }: Part, bench: Bench): Promise<readonly Row[]> {
  tell(`measuring ${name} …`)
  try {
    for (const stage of bench.stages) await stage.renewTokens()
    return await run(bench)
  } catch (error) {
    const cell = { failure: messageOf(error), outcome: 'OVER' as const }
    const cells = Object.fromEntries(bench.stages.map(({ dialect }) => [dialect, cell]))
    return [{ what: name, clients: null, budget: '', peers: '', cells }]
  }
}

function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} × ${model}, ${gigabytes} GB, Node ${process.versions.node}`
}

const loadNow = (): number => loadavg()[0] ?? 0

/** Filling the text index of the bare server with ten million records takes longer than all measurements. */
const MAX_BARE = 1_000_000

async function measure(options: BenchOptions): Promise<BenchResult> {
  const loadBefore = loadNow()
  const folder = await mkdtemp(join(tmpdir(), 'dossier-bench-files-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const stages: Environment[] = []
  let floor: Baseline | undefined
  try {
    tell('making records …')
    const files = await writeCsvFiles(folder, options.size)
    for (const dialect of options.dialects) {
      tell(`importing into ${dialect} …`)
      stages.push(await openEnvironment(dialect, options, files))
    }
    if (options.size <= MAX_BARE) {
      tell('filling the bare server …')
      floor = await startBaseline(folder, options.size)
    }
    const bench: Bench = { options, stages, floor, files }
    const chosen = PARTS.filter(({ name }) => options.parts.length === 0 || options.parts.includes(name))
    const rows: Row[] = []
    for (const part of chosen) {
      rows.push(...(await runPart(part, bench)))
      for (const stage of stages)
        tell(`  highest memory of ${stage.dialect}: ${(stage.highestMb()?.lately ?? 0).toFixed(0)} MB`)
    }
    const { size, isQuick } = options
    const at = new Date().toISOString()
    return { at, size, machine: describeMachine(), loadBefore, loadAfter: loadNow(), isQuick, rows }
  } finally {
    for (const stage of stages) await stage.close()
    await floor?.close()
  }
}

function keep(result: BenchResult, file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(result, undefined, 1)}\n`)
}

function print(results: readonly BenchResult[], rows: readonly Row[]): void {
  for (const { at, size, machine, loadBefore, loadAfter, isQuick } of results) {
    const load = `load ${loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after`
    console.log(
      `${size.toLocaleString('en')} records; ${at}; ${machine}; ${load}${isQuick ? '; QUICK: not to be believed' : ''}`,
    )
  }
  console.log(`\n${tableOf(rows)}\n`)
}

const readResult = (file: string): BenchResult => {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  // The benchmark wrote this file, so its format is known.
  return JSON.parse(readFileSync(file, 'utf8')) as BenchResult
}

async function bench(): Promise<void> {
  const names = PARTS.map(({ name }) => name)
  const options = parseOptions(process.argv.slice(2), names)
  if (!options) {
    console.error(`${USAGE}\n\nParts: ${names.join(', ')}.`)
    process.exitCode = 2
    return
  }
  if (options.printed.length > 0) {
    const results = options.printed.map(readResult)
    return print(results, joinRows(results))
  }
  setTimeout(() => {
    console.error('The benchmark exceeded its time limit.')
    process.exit(1)
  }, LONGEST_MS).unref()
  const result = await measure(options)
  keep(result, options.json)
  print([result], result.rows)
  console.log(`Results written to ${options.json}.`)
}

// Triggers the `exit` handlers, which stop servers and databases.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await bench()
