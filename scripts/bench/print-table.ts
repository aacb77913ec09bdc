import type { Line } from './line.ts'

const TITLES: Line = {
  what: 'what',
  budget: 'budget',
  ours: 'ours: p50 / p95 · rate · cpu ms',
  peers: 'peers: best / typical',
  verdict: '–',
}

const COLUMNS = ['what', 'budget', 'ours', 'peers', 'verdict'] as const

/** The table in Markdown, its columns aligned for the eye as well. */
export function tableOf(lines: readonly Line[]): string {
  const all = [{ ...TITLES, verdict: 'verdict' }, ...lines]
  const widths = COLUMNS.map((column) => Math.max(...all.map((line) => line[column].length)))
  const rowOf = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head, ...rows] = all.map((line) => rowOf(COLUMNS.map((column) => line[column])))
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [head, rule, ...rows].join('\n')
}
