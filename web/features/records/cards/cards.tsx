import type { KnownCollection } from '#web/fields/known-field.ts'
import { Grid } from '#web/kit/grid/grid.tsx'
import type { GridProps } from '#web/kit/grid/grid-props.ts'
import type { RecordLine } from '../record-line.ts'

type CardsProps = { readonly collection: KnownCollection; readonly grid: GridProps<RecordLine> }

export function Cards({ grid }: CardsProps) {
  return <Grid {...grid} />
}
