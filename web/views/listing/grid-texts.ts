import { formatCount } from '#web/shared/formatting/format-value.ts'
import { GRID_TEXTS_EN, type GridTexts } from '#web/ui/grid/grid-texts.ts'
import { plural, t } from '#web/i18n/t.ts'

/** The grid's words where its rows are records. */
export const RECORD_GRID_TEXTS: GridTexts = {
  ...GRID_TEXTS_EN,
  rows: (count) => plural(count, '{n} record', '{n} records'),
  rowsInAll: (total) => {
    if (total.is === 'unknown') return ''
    return total.is === 'exact'
      ? plural(total.count, '{n} record', '{n} records')
      : `${formatCount(total.count)}+ records`
  },
  selectRow: (name) => (name === '' ? t('Select record') : t('Select {name}', { name })),
  selectPage: t('Select all records on this page'),
  selectEverything: t('Select all records'),
  rowsFailed: t('Couldn’t load some records.'),
  perPage: t('Records per page'),
}

/** Names the columns out of sight in which something was found. */
export function describeHiddenHits(labels: readonly string[]): string {
  const [first = '', second] = labels
  if (second === undefined) return t('in {first}', { first })
  return labels.length === 2
    ? t('in {first} and {second}', { first, second })
    : t('in {first} and {labelsCount} more', { first, labelsCount: labels.length - 1 })
}
