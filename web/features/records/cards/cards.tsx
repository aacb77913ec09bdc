import type { GridProps } from '#web/kit/grid/grid-props.ts'
import { later, useLater } from '#web/kit/later.ts'
import type { RecordLine } from '../record-line.ts'

/** Who has room for a grid needs no cards. */
const cards = later(() => import('./card-list.tsx'))

/** A list where there is little room. */
export function Cards({ grid }: { readonly grid: GridProps<RecordLine> }) {
  const { CardList } = useLater(cards, true) ?? {}
  return CardList ? <CardList {...grid} /> : null
}
