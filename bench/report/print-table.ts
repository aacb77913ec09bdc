import type { Dialect } from '#server/platform/database/database.ts'
import type { BenchResult, Cell, Column, Row } from './result.ts'

const TITLES: ReadonlyMap<Column, string> = new Map([
  ['sqlite', 'SQLite: p50 / p95 / p99 ms · rate · cpu ms'],
  ['sqlite-owner', 'as owner: p50 / p95 ms · rate'],
  ['postgres', 'PostgreSQL: p50 / p95 / p99 ms · rate · cpu ms'],
  ['postgres-owner', 'as owner: p50 / p95 ms · rate'],
  ['floor', 'bare server: p50 / p95 / p99 ms · rate'],
])

/** Renders a Markdown table with aligned columns. */
export function tableOf(rows: readonly Row[]): string {
  const columns = [...TITLES.keys()].filter((column) => rows.some(({ cells }) => cells[column]))
  const measured = columns.map((column) => TITLES.get(column) ?? '')
  const head = ['what', 'clients', 'must reach', ...measured, '× owner', '× bare', 'peers: best / typical', 'kept']
  return aligned([head, ...rows.map((row) => lineOf(row, columns))])
}

/** Merges runs with the same number of records into one table. */
export function joinRows(results: readonly BenchResult[]): Row[] {
  const rows = new Map<string, Row>()
  for (const row of results.flatMap((result) => result.rows)) {
    const key = `${row.what} ${row.clients}`
    const before = rows.get(key)
    rows.set(key, before ? { ...before, cells: { ...before.cells, ...row.cells } } : row)
  }
  return [...rows.values()]
}

function lineOf(row: Row, columns: readonly Column[]): string[] {
  const { what, clients, budget, peers, cells } = row
  const measured = columns.map((column) => printCell(cells[column], column))
  const connections = clients === null ? '' : String(clients)
  const timesOwner = ratios(row, (column) => cells[`${column}-owner`])
  const timesBare = ratios(row, () => cells.floor)
  return [what, connections, budget, ...measured, timesOwner, timesBare, peers, outcomes(row)]
}

function printCell(cell: Cell | undefined, column: Column): string {
  if (!cell) return ''
  if ('failure' in cell) return `FAILED: ${cell.failure.replaceAll(/[|\n]/g, ' ').slice(0, 60)}`
  if ('figure' in cell) return `${short(cell.figure)} ${cell.unit}${cell.note ? ` (${cell.note})` : ''}`
  const { p50, p95, p99, perSecond, cpuMs } = cell
  if (column.endsWith('-owner')) return `${short(p50)} / ${short(p95)} · ${short(perSecond)}/s`
  const cpu = cpuMs === undefined || column === 'floor' ? '' : ` · ${short(cpuMs)}`
  return `${short(p50)} / ${short(p95)} / ${short(p99)} · ${short(perSecond)}/s${cpu}`
}

const DATABASES = ['sqlite', 'postgres'] as const

/** Ratio of the restricted user's median to the median in the other column, per database. */
function ratios({ cells }: Row, otherOf: (column: Dialect) => Cell | undefined): string {
  return DATABASES.flatMap((column) => {
    const [ours, other] = [cells[column], otherOf(column)].map(middleOf)
    return ours === undefined || other === undefined ? [] : [short(ours / other)]
  }).join(' / ')
}

const middleOf = (cell: Cell | undefined): number | undefined => (cell && 'p50' in cell ? cell.p50 : undefined)

const outcomes = ({ cells }: Row): string => DATABASES.flatMap((column) => cells[column]?.status ?? []).join(' / ')

/** Rounds to a readable number of digits. */
function short(figure: number): string {
  if (figure >= 100) return Math.round(figure).toLocaleString('en')
  return figure >= 10 ? figure.toFixed(1) : figure.toFixed(2)
}

function aligned([head = [], ...lines]: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...lines].map((cells) => cells[at]?.length ?? 0)))
  const print = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [print(head), rule, ...lines.map(print)].join('\n')
}
