import { countOf, formatCount } from '#web/fields/format-value.ts'
import { GRID_TEXTS_EN, type GridTexts } from '#web/kit/grid/grid-texts.ts'

/** The grid's words where its rows are records. */
export const RECORD_GRID_TEXTS: GridTexts = {
  ...GRID_TEXTS_EN,
  rows: (count) => countOf(count, 'record', 'records'),
  rowsInAll: (total) => {
    if (total.is === 'unknown') return ''
    return total.is === 'exact' ? countOf(total.count, 'record', 'records') : `${formatCount(total.count)}+ records`
  },
  selectRow: (name) => (name === '' ? 'Select record' : `Select ${name}`),
  selectPage: 'Select all records on this page',
  selectEverything: 'Select all records',
  rowsFailed: 'Some records could not be loaded.',
  perPage: 'Records per page',
}

/** Names the columns out of sight in which something was found. */
export function foundInText(labels: readonly string[]): string {
  const [first = '', second] = labels
  if (second === undefined) return `in ${first}`
  return labels.length === 2 ? `in ${first} and ${second}` : `in ${first} and ${labels.length - 1} more`
}
