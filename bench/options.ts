import { parseArgs } from 'node:util'
import type { Dialect } from '#server/platform/database/database.ts'

/** Command-line options of a run. */
export type BenchOptions = {
  readonly dialects: readonly Dialect[]
  /** Number of records. */
  readonly size: number
  /** Number of edits of each record in the change log before the history is measured. */
  readonly edits: number
  /** Selected benchmark parts; if empty, all run. */
  readonly parts: readonly string[]
  /** Short runs, to test the benchmark itself. */
  readonly isQuick: boolean
  /** Scrolls the grid for five minutes instead of one. */
  readonly isLong: boolean
  /** Path of the JSON result file. */
  readonly json: string
  /** Result files of earlier runs to print as one table; no new measurements are made. */
  readonly printed: readonly string[]
  /** Output folder for the server's CPU profile. */
  readonly profileFolder: string | undefined
}

export const USAGE = `npm run bench -- [--size 10000|100000|1000000|10000000] [--database sqlite|postgres|both] [--part <name>,<name> …]
                 [--edits <number>] [--quick] [--long] [--json <file>] [--profile <folder>]
npm run bench -- --print <file.json> [<file.json> …]     prints the figures of earlier runs as one table`

const DIALECTS: ReadonlyMap<string, readonly Dialect[]> = new Map([
  ['sqlite', ['sqlite']],
  ['postgres', ['postgres']],
  ['both', ['sqlite', 'postgres']],
])

const FEWEST = 2_000
const MAX = 10_000_000

const OPTIONS = {
  size: { type: 'string', default: '100000' },
  edits: { type: 'string', default: '0' },
  database: { type: 'string', default: 'both' },
  part: { type: 'string', default: '' },
  quick: { type: 'boolean', default: false },
  long: { type: 'boolean', default: false },
  json: { type: 'string' },
  print: { type: 'boolean', default: false },
  profile: { type: 'string' },
} as const

/** Parses command-line arguments; returns undefined if they are invalid. */
export function parseOptions(args: readonly string[], parts: readonly string[]): BenchOptions | undefined {
  const parsed = parse(args)
  if (!parsed) return undefined
  const { values, positionals } = parsed
  const dialects = DIALECTS.get(values.database)
  const size = Number(values.size)
  const chosen = values.part.split(',').filter((name) => name !== '')
  const edits = Number(values.edits)
  const isSized = Number.isInteger(size) && size >= FEWEST && size <= MAX && Number.isInteger(edits) && edits >= 0
  const isClear = isSized && chosen.every((name) => parts.includes(name)) && values.print === positionals.length > 0
  if (!dialects || !isClear) return undefined
  return {
    dialects,
    size,
    edits,
    parts: chosen,
    isQuick: values.quick,
    isLong: values.long,
    json: values.json ?? `.cache/bench/${size}-${values.database}.json`,
    printed: positionals,
    profileFolder: values.profile,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch {
    return undefined
  }
}
