import type { GridProps } from '#web/ui/grid/grid-props.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'

const cards = lazyModule(() => import('./card-list.tsx'))

export function Cards({ grid }: { readonly grid: GridProps<RecordRow> }) {
  const { CardList } = useLazyModule(cards, true) ?? {}
  return CardList ? <CardList {...grid} /> : null
}
