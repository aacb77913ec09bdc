import { useLayoutEffect, useMemo, useRef } from 'react'
import { canGroupBy, type Field, holdsList } from '#domain/fields/field.ts'
import type { BoardOptions } from '#domain/views/board.ts'
import type { Listing } from '#web/data/queries/record-list-queries.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { shownColumns } from '#web/ui/grid/columns/column-layout.ts'
import { DEFAULT_LAYOUT, type GridColumn } from '#web/ui/grid/columns/grid-column.ts'
import { cardFields } from '../cards/use-card-view.ts'
import type { ListingProps, RecordActions } from '../view-kind.ts'
import { type BoardFields, type BoardMoves, useBoardMoves } from './board-moves.ts'

export type BoardProps = ListingProps<BoardOptions>

/** Everything that columns and cards need; the same object until the board's settings change. */
export type BoardContext = BoardFields & {
  readonly listing: Listing
  readonly title: GridColumn<RecordRow> | undefined
  readonly fields: readonly { readonly column: GridColumn<RecordRow>; readonly field: Field }[]
  readonly cover: Field | undefined
  /** Always calls the latest handlers. */
  readonly actions: () => RecordActions
  readonly moves: BoardMoves
}

/** The first field that the list is grouped by, unless it is the field of the columns. */
export function useLaneField({ collection, group, field }: BoardProps & { readonly field: Field }): Field | undefined {
  return useMemo(() => {
    const names = group === null ? [] : group.split(',')
    return collection.fields.find((each) => names.includes(each.name) && each.id !== field.id && canGroupBy(each))
  }, [collection, group, field])
}

export function useBoardContext(props: BoardProps & { readonly field: Field }, lane: Field | undefined): BoardContext {
  const { collection, options, listing, field, grid } = props
  const latest = useRef(props.actions)
  useLayoutEffect(() => {
    latest.current = props.actions
  })
  const moves = useBoardMoves({ collection, field, lane }, props.actions)
  const { columns, layout = DEFAULT_LAYOUT } = grid
  return useMemo(() => {
    const title = columns.find(({ isTitle }) => isTitle)
    const shown = shownColumns(columns, layout).ids.flatMap((id) => {
      const column = columns.find((each) => each.id === id)
      const own = collection.fields.find((each) => each.id === id)
      // A column shows only one of several values.
      const isColumn = id === field.id && !holdsList(field)
      const isElsewhere = column === title || id === options.cover || isColumn || id === lane?.id
      return column && own && !isElsewhere ? [{ column, field: own, kind: own.kind }] : []
    })
    return {
      collection,
      field,
      lane,
      listing,
      title,
      fields: cardFields(shown, options.fieldCount),
      cover: collection.fields.find(({ id, kind }) => id === options.cover && kind === 'files'),
      actions: () => latest.current,
      moves,
    }
  }, [collection, field, lane, listing, columns, layout, options, moves])
}
