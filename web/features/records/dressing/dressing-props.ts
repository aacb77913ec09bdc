import type { KnownCollection } from '#web/fields/known-field.ts'
import type { GridProps } from '#web/kit/grid/grid-props.ts'
import type { GridSource } from '#web/kit/grid/grid-source.ts'
import type { ListLook } from '../grid-layout.ts'
import type { RecordLine } from '../record-line.ts'
import type { Listing } from '../record-list-queries.ts'

/** The list that is dressed. */
export type DressedList = {
  readonly collection: KnownCollection
  readonly listing: Listing
  /** The names of the fields it is grouped by, separated by commas. */
  readonly group: string | null
  readonly look: ListLook
  readonly onLook: (look: Partial<ListLook>) => void
  readonly source: GridSource<RecordLine>
}

/** What comes on top of the rows of a list: their groups, figures below the columns, colours. */
export type Dressing = Pick<GridProps<RecordLine>, 'grouping' | 'footer' | 'paintOf'>

/** That, as far as it is there; `areHeadsDue` as long as the groups are on their way and none of them failed. */
export type Dressed = { readonly dressing: Dressing; readonly areHeadsDue: boolean }
