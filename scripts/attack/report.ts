import type { Findings, Trial } from '#tests/attack/trial.ts'

/** Result of a trial: findings, the reason it could not run, or the error that stopped it. */
export type Report = Pick<Trial, 'name' | 'environment'> & { readonly seconds: number } & (
    | { readonly found: Findings }
    | { readonly notRun: string }
    | { readonly failure: string }
  )

const COLUMNS = ['trial', 'on', 'faults', 'compared', 'lost', 'inputs', '500s', 'longest stall', 'load held', 'time']

/** One sentence per failure. */
export function failuresOf(report: Report): readonly string[] {
  if ('notRun' in report) return []
  if ('failure' in report) return [`${titleOf(report)} failed: ${report.failure}`]
  const { broken, lost = 0, serverErrors = 0 } = report.found
  const counted = [...(lost > 0 ? [`${lost} lost`] : []), ...(serverErrors > 0 ? [`${serverErrors} times a 500`] : [])]
  return [...counted, ...broken].map((sentence) => `${titleOf(report)}: ${sentence}`)
}

const titleOf = ({ name, environment }: Report): string => `${name} on ${environment}`

/** Renders a Markdown table of all trials, with a total. */
export function tableOf(reports: readonly Report[]): string {
  const lines = [COLUMNS, ...reports.map(lineOf), sumOf(reports)]
  const widths = COLUMNS.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)))
  const print = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  const [head = [], ...rest] = lines
  return [print(head), rule, ...rest.map(print)].join('\n')
}

function lineOf(report: Report): readonly string[] {
  const { name, environment, seconds } = report
  if ('notRun' in report) return [name, environment, '', '', '', '', '', '', `not run: ${report.notRun}`, '']
  if ('failure' in report) return [name, environment, '', '', '', '', '', '', 'broke off', timeOf(seconds)]
  const { faults, compared, lost, inputs, serverErrors, longestStallMs, load = '' } = report.found
  const counts = [faults, compared, lost, inputs, serverErrors].map(shown)
  return [name, environment, ...counts, stallOf(longestStallMs), load, timeOf(seconds)]
}

function sumOf(reports: readonly Report[]): readonly string[] {
  const all = reports.flatMap((report) => ('found' in report ? [report.found] : []))
  const sum = (key: 'faults' | 'compared' | 'lost' | 'inputs' | 'serverErrors') =>
    shown(all.reduce((total, found) => total + (found[key] ?? 0), 0))
  const stalls = all.flatMap(({ longestStallMs }) => longestStallMs ?? [])
  const longest = stallOf(stalls.length === 0 ? undefined : Math.max(...stalls))
  const seconds = reports.reduce((total, report) => total + report.seconds, 0)
  const counts = [sum('faults'), sum('compared'), sum('lost'), sum('inputs'), sum('serverErrors')]
  return ['all', '', ...counts, longest, '', timeOf(seconds)]
}

const shown = (count: number | undefined): string => count?.toLocaleString('en') ?? ''

const stallOf = (ms: number | undefined): string => (ms === undefined ? '' : `${Math.round(ms)} ms`)

const timeOf = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`
