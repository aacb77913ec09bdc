import { type ChartData, shares } from '#domain/views/chart-data.ts'

/** Where a series starts and ends in a category; null without a value. */
export type ChartSpan = readonly [from: number, to: number] | null

export type ChartStacking = 'stacked' | 'grouped' | 'percent'

/** By series, then by category. Negative values are stacked below zero. */
export function spansOf(table: Pick<ChartData, 'values' | 'categories'>, stacking: ChartStacking): ChartSpan[][] {
  if (stacking === 'grouped') return table.values.map((row) => row.map((value) => (value === null ? null : [0, value])))
  const values = stacking === 'percent' ? shares(table) : table.values
  const ends = table.categories.map(() => ({ above: 0, below: 0 }))
  return values.map((row) =>
    row.map((value, at) => {
      const end = ends[at]
      if (value === null || !end) return null
      const side = value < 0 ? 'below' : 'above'
      const from = end[side]
      end[side] += value
      return [from, end[side]]
    }),
  )
}

export function extentOf(spans: readonly (readonly ChartSpan[])[]): [least: number, most: number] {
  const ends = spans.flat().flatMap((span) => span ?? [])
  const [least, most] = ends.reduce<[number, number]>(
    ([low, high], end) => [Math.min(low, end), Math.max(high, end)],
    [0, 0],
  )
  return least === most ? [0, 1] : [least, most]
}

/** Average width in px of a character of the axis labels. */
const CHARACTER_PX = 7.1

export const labelWidth = (label: string): number => Math.ceil([...label].length * CHARACTER_PX)

export function fitLabel(label: string, widthPx: number): string {
  const fits = Math.max(1, Math.floor(widthPx / CHARACTER_PX))
  const characters = [...label]
  return characters.length <= fits ? label : `${characters.slice(0, Math.max(1, fits - 1)).join('')}…`
}

/** Every nth label fits next to the others. */
export function labelStep(labels: readonly string[], bandPx: number): number {
  const longest = Math.max(0, ...labels.map(labelWidth))
  return Math.max(1, Math.ceil((longest + LABEL_GAP_PX) / Math.max(1, bandPx)))
}

const LABEL_GAP_PX = 12
