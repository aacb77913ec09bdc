import type { Dialect } from '#server/platform/database/database.ts'

/** Budget limit, in ms, per second, MB or kB. */
export type Bound =
  | { readonly of: 'p50' | 'p95' | 'figure'; readonly atMost: number }
  | { readonly of: 'perSecond' | 'figure'; readonly min: number }

/** A performance budget and the results of comparable products. */
export type Budget = {
  readonly what: string
  /** Number of concurrent connections. */
  readonly clients?: number
  readonly budget: string
  /** Limits per database; empty if measured without a limit. */
  readonly bounds: { readonly [On in Dialect]?: Bound }
  /** Best and typical results of comparable products. */
  readonly peers: string
}

/** Table column: a database accessed as the restricted user or owner, or the baseline. */
export type Column = Dialect | `${Dialect}-owner` | 'floor'

/** Database of a column; undefined for the baseline, which has no budget. */
const dialectOf = (column: Column): Dialect | undefined => {
  if (column === 'floor') return undefined
  return column.startsWith('sqlite') ? 'sqlite' : 'postgres'
}

/** Latencies in ms. */
export type Metrics = {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
  readonly perSecond: number
  /** Server CPU time per request. */
  readonly cpuMs?: number | undefined
}

export type Single = { readonly figure: number; readonly unit: string; readonly note?: string | undefined }

/** A result, or the reason it is missing. */
export type Outcome = Metrics | Single | { readonly failure: string }

/** A result and whether it meets the budget. */
export type Cell = Outcome & { readonly status: 'in' | 'OVER' | '–' }

export type Row = {
  readonly what: string
  readonly clients: number | null
  readonly budget: string
  readonly peers: string
  readonly cells: { readonly [In in Column]?: Cell }
}

/** Benchmark run, as stored in a result file. */
export type BenchResult = {
  readonly at: string
  readonly size: number
  readonly machine: string
  readonly loadBefore: number
  readonly loadAfter: number
  readonly isQuick: boolean
  readonly rows: readonly Row[]
}

export function rowOf(budget: Budget, outcomes: ReadonlyMap<Column, Outcome>): Row {
  const cells = [...outcomes].map(([column, outcome]) => [
    column,
    { ...outcome, status: statusOf(budget, column, outcome) },
  ])
  const { what, clients = null, budget: text, peers } = budget
  return { what, clients, budget: text, peers, cells: Object.fromEntries(cells) }
}

export const rowOfSingles = (budget: Budget, singles: ReadonlyMap<Column, Single | undefined>): Row =>
  rowOf(
    budget,
    new Map([...singles].map(([column, single]) => [column, single ?? { failure: 'not available on this system' }])),
  )

function statusOf({ bounds }: Budget, column: Column, outcome: Outcome): Cell['status'] {
  const dialect = dialectOf(column)
  if ('failure' in outcome) return dialect ? 'OVER' : '–'
  const bound = dialect && bounds[dialect]
  if (!bound) return '–'
  return isKept(bound, outcome) ? 'in' : 'OVER'
}

function isKept(bound: Bound, outcome: Metrics | Single): boolean {
  // Checks the metric named in the budget; a missing metric fails the budget.
  const figure = (outcome as { readonly [name: string]: unknown })[bound.of]
  if (typeof figure !== 'number') return false
  return 'atMost' in bound ? figure <= bound.atMost : figure >= bound.min
}
