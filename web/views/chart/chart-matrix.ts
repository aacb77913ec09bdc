import { guardFormula, printCsvLine } from '#domain/imports/print-csv.ts'
import { type ChartData, sum } from '#domain/views/chart-data.ts'
import { t } from '#web/i18n/t.ts'

type Cell = string | number | null

/** The values of a chart as a table: a header, a row per group, and totals if values can be added. */
export type ChartMatrix = {
  readonly header: readonly string[]
  readonly rows: readonly (readonly [label: string, ...values: Cell[]])[]
  readonly totals: readonly [label: string, ...values: Cell[]] | undefined
}

type MatrixLabels = { readonly group: string; readonly value: string; readonly hasTotals: boolean }

export function chartMatrix({ categories, series, values, total }: ChartData, labels: MatrixLabels): ChartMatrix {
  const isSplit = series.length > 1 || series[0]?.label !== ''
  const hasTotalColumn = isSplit && labels.hasTotals
  return {
    header: [
      labels.group,
      ...(isSplit ? series.map(({ label }) => label) : [labels.value]),
      ...(hasTotalColumn ? [t('Total')] : []),
    ],
    rows: categories.map(({ label }, at) => {
      const row = values.map((one) => one[at] ?? null)
      return [label, ...row, ...(hasTotalColumn ? [sum(row)] : [])]
    }),
    totals: labels.hasTotals ? [t('Total'), ...(isSplit ? values.map((row) => sum(row)) : []), total] : undefined,
  }
}

const linesOf = ({ header, rows, totals }: ChartMatrix): readonly (readonly Cell[])[] => [
  header,
  ...rows,
  ...(totals ? [totals] : []),
]

/** Numbers as they are, for spreadsheets. */
export const printMatrix = (matrix: ChartMatrix): string =>
  linesOf(matrix)
    .map((row) => printCsvLine(row.map((cell) => (typeof cell === 'string' ? guardFormula(cell) : String(cell ?? '')))))
    .join('')

/** All cells as they are shown. */
export const shownMatrix = (matrix: ChartMatrix, print: (value: number) => string): readonly (readonly string[])[] =>
  linesOf(matrix).map((row) => row.map((cell) => (typeof cell === 'number' ? print(cell) : (cell ?? '–'))))
