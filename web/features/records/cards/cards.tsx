import type { GridProps } from '#web/kit/grid/grid-props.ts'
import { lazyModule, useLazyModule } from '#web/kit/later.ts'
import type { RecordRow } from '../record-line.ts'

/** Who has room for a grid needs no cards. */
const cards = lazyModule(() => import('./card-list.tsx'))

/** A list where there is little room. */
export function Cards({ grid }: { readonly grid: GridProps<RecordRow> }) {
  const { CardList } = useLazyModule(cards, true) ?? {}
  return CardList ? <CardList {...grid} /> : null
}
