import { later, useLater } from '#web/kit/later.ts'
import type { ColumnFilterProps } from './column-filter.tsx'

const columnFilter = later(() => import('./column-filter.tsx'))

/** The input below a column, fetched when a list first shows one. */
export function LaterColumnFilter(props: ColumnFilterProps) {
  const { ColumnFilter } = useLater(columnFilter, true) ?? {}
  return ColumnFilter ? <ColumnFilter {...props} /> : null
}
