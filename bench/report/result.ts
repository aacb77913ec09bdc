import type { Dialect } from '#server/platform/database/database.ts'

/** The bound a budget sets for one figure; ms, per second, MB or kB. */
export type Bound =
  | { readonly of: 'p50' | 'p95' | 'figure'; readonly atMost: number }
  | { readonly of: 'perSecond' | 'figure'; readonly atLeast: number }

/** One promise of speed: what it is about, in the words of product.md, and what the peers reach. */
export type Budget = {
  readonly what: string
  /** How many ask at once, where that matters. */
  readonly clients?: number
  readonly budget: string
  /** What is promised on each database. Nothing: measured to know it. */
  readonly bounds: { readonly [On in Dialect]?: Bound }
  /** Best and typical of the peers on the same work. */
  readonly peers: string
}

/** Who was asked: a database as somebody bound by rules or as the owner, or the bare server without rules. */
export type Column = Dialect | `${Dialect}-owner` | 'floor'

/** The database behind a column; the floor is judged by nobody. */
const dialectOf = (column: Column): Dialect | undefined => {
  if (column === 'floor') return undefined
  return column.startsWith('sqlite') ? 'sqlite' : 'postgres'
}

/** The figures of many requests, in ms. */
export type Metrics = {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
  readonly perSecond: number
  /** What one of them cost the server's process of processor time. */
  readonly cpuMs?: number | undefined
}

/** One figure alone. */
export type Single = { readonly figure: number; readonly unit: string; readonly note?: string | undefined }

/** What came out, or why nothing did. */
export type Outcome = Metrics | Single | { readonly failure: string }

/** An outcome and whether it keeps the promise. */
export type Cell = Outcome & { readonly verdict: 'in' | 'OVER' | '–' }

/** One line of the table. */
export type Row = {
  readonly what: string
  readonly clients: number | null
  readonly budget: string
  readonly peers: string
  readonly cells: { readonly [In in Column]?: Cell }
}

/** All of one run, as it is kept in a file. */
export type BenchResult = {
  readonly at: string
  readonly size: number
  readonly machine: string
  readonly loadBefore: number
  readonly loadAfter: number
  readonly isQuick: boolean
  readonly rows: readonly Row[]
}

/** A row of what was measured in each column. */
export function rowOf(budget: Budget, outcomes: ReadonlyMap<Column, Outcome>): Row {
  const cells = [...outcomes].map(([column, outcome]) => [
    column,
    { ...outcome, verdict: judge(budget, column, outcome) },
  ])
  const { what, clients = null, budget: text, peers } = budget
  return { what, clients, budget: text, peers, cells: Object.fromEntries(cells) }
}

/** A row of one figure for each database. */
export const rowOfSingles = (budget: Budget, singles: ReadonlyMap<Column, Single | undefined>): Row =>
  rowOf(
    budget,
    new Map([...singles].map(([column, single]) => [column, single ?? { failure: 'not told by this system' }])),
  )

function judge({ bounds }: Budget, column: Column, outcome: Outcome): Cell['verdict'] {
  const dialect = dialectOf(column)
  if ('failure' in outcome) return dialect ? 'OVER' : '–'
  const bound = dialect && bounds[dialect]
  if (!bound) return '–'
  return isKept(bound, outcome) ? 'in' : 'OVER'
}

function isKept(bound: Bound, outcome: Metrics | Single): boolean {
  // A bound names the figure its measurement gives; another one is missing and not kept.
  const figure = (outcome as { readonly [name: string]: unknown })[bound.of]
  if (typeof figure !== 'number') return false
  return 'atMost' in bound ? figure <= bound.atMost : figure >= bound.atLeast
}
