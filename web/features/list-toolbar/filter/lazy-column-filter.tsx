import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { ColumnFilterProps } from './column-filter.tsx'

const columnFilter = lazyModule(() => import('./column-filter.tsx'))

export function LazyColumnFilter(props: ColumnFilterProps) {
  const { ColumnFilter } = useLazyModule(columnFilter, true) ?? {}
  return ColumnFilter ? <ColumnFilter {...props} /> : null
}
