import type { GridProps } from '#web/ui/grid/grid-props.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'

/** Who has room for a grid needs no cards. */
const cards = lazyModule(() => import('./card-list.tsx'))

/** A list where there is little room. */
export function Cards({ grid }: { readonly grid: GridProps<RecordRow> }) {
  const { CardList } = useLazyModule(cards, true) ?? {}
  return CardList ? <CardList {...grid} /> : null
}
