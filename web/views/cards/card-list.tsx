import {
  type CSSProperties,
  type DragEvent,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { shownColumns } from '#web/ui/grid/columns/column-layout.ts'
import { DEFAULT_LAYOUT, type GridColumn } from '#web/ui/grid/columns/grid-column.ts'
import { Announcer, GridNotices, useGridMessage } from '#web/ui/grid/grid-notices.tsx'
import { GRID_TEXTS_EN, type GridProps, rowAt, totalOf } from '#web/ui/grid/grid-props.ts'
import type { GridLine, GridLines } from '#web/ui/grid/rows/row-window.ts'
import { isSelected } from '#web/ui/grid/selection/selection.ts'
import { type GridActions, stateOfAll, useGridActions } from '#web/ui/grid/grid-context.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { Field } from '#domain/fields/field.ts'
import type { CardsOptions, GalleryOptions, ListOptions } from '#domain/views/cards.ts'
import type { ListingProps } from '../view-kind.ts'
import { useCardMoves } from './move-card.ts'
import { type CardCommands, type CardPlace, GroupCard, RecordCard } from './record-card.tsx'
import { cardFields, type CardPosition, type CardView, useCardKeys, useCardView } from './use-card-view.ts'
import '../../ui/grid/grid.css'
import './cards.css'
import type { GridHandle } from '#web/ui/grid/editing/grid-editing.ts'
import { carriesFiles } from '#web/shared/uploads/selected-files.ts'

/** File-drop listeners delegated to the list, as in the grid. */
function cardDropTarget({ onFiles, rowTakesFiles, source }: GridProps<RecordRow>, view: CardView) {
  if (!onFiles || !rowTakesFiles) return {}
  const takerAt = (event: DragEvent): { card: HTMLElement; row: RecordRow } | undefined => {
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line]') : null
    const found = card && view.lines.lineAt(Number(card.dataset['line']))
    const row = found?.kind === 'row' ? rowAt(source, found.ordinal) : undefined
    return card && row && carriesFiles(event.dataTransfer) && rowTakesFiles(row) ? { card, row } : undefined
  }
  const show = (list: Element, card?: HTMLElement) => {
    for (const shown of list.querySelectorAll<HTMLElement>('[data-drop]'))
      if (shown !== card) delete shown.dataset['drop']
    if (card) card.dataset['drop'] = ''
  }
  return {
    onDragOver: (event: DragEvent) => {
      const taker = takerAt(event)
      show(event.currentTarget, taker?.card)
      if (!taker) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDragLeave: (event: DragEvent) => show(event.currentTarget),
    onDrop: (event: DragEvent) => {
      const taker = takerAt(event)
      show(event.currentTarget)
      if (!taker) return
      event.preventDefault()
      onFiles({ row: taker.row, columnId: undefined, data: event.dataTransfer, xPx: event.clientX, yPx: event.clientY })
    },
  }
}

function useCardListHandle(handleRef: Ref<GridHandle> | undefined, view: CardView): void {
  useImperativeHandle(handleRef, () => {
    const go = (ordinal: number, then: (line: number) => void): boolean => {
      const line = view.lines.lineOfRow(ordinal)
      if (line === undefined) return false
      view.reveal(line)
      then(line)
      return true
    }
    return {
      goTo: (ordinal) => go(ordinal, view.send),
      show: (ordinal) => go(ordinal, view.arrive),
      edit: () => false,
      columnId: () => undefined,
      columnIds: () => [],
      has: (ordinal) => view.lines.lineOfRow(ordinal) !== undefined,
      ordinal: () => {
        const found = view.lines.lineAt(view.active)
        return found?.kind === 'row' ? found.ordinal : undefined
      },
      focus: () => view.send(view.active),
    }
  })
}

type CardListProps = Pick<ListingProps<CardsOptions & Partial<GalleryOptions>>, 'collection' | 'options' | 'grid'> & {
  readonly linePx?: number
}

/** Height of a line in px: on a phone, the minimum touch target. */
const LINE_PX = { wide: 36, narrow: 44 } as const

/** Each record as a single line. */
export function LineList({ collection, options: { fieldCount }, grid, isNarrow }: ListingProps<ListOptions>) {
  const shown = useMemo(() => ({ fieldCount, cover: null }), [fieldCount])
  const linePx = isNarrow ? LINE_PX.narrow : LINE_PX.wide
  return <CardList collection={collection} options={shown} grid={grid} linePx={linePx} />
}

export function CardList({ collection, options, grid, linePx }: CardListProps) {
  const { source } = grid
  const shown = useShown(grid, collection.fields, options)
  const cover = collection.fields.find(({ id, kind }) => id === options.cover && kind === 'files')
  const { size = 'row', fit = 'crop' } = options
  const view = useCardView(grid, { size, fieldCount: shown.fields.length, hasCover: cover !== undefined, linePx })
  const actions = useGridActions(grid, view.lines)
  const commands = useCommands(actions)
  const [message] = useGridMessage(grid, undefined)
  const moves = useCardMoves(grid, view)
  const onKeyDown = useCardKeys({ grid, view, actions, moves })
  useCardListHandle(grid.handleRef, view)
  const hasLines = view.lines.lineCount > 0
  const isShown = hasLines && grid.failure === undefined

  return (
    <div className="card-frame" data-lines={linePx !== undefined || undefined}>
      {isShown && <SelectAll grid={grid} onSelectAll={actions.selectAll} />}
      <div
        ref={view.scrollerRef}
        className="card-scroller"
        data-scroll-restoration-id={grid.listKey === undefined ? undefined : encodeURIComponent(grid.listKey)}
        hidden={!isShown}
      >
        <ul
          aria-label={grid.label}
          aria-busy={source.kind === 'page' && source.loadingRows !== undefined}
          className="card-list"
          data-size={size}
          data-fit={fit}
          data-cover={cover !== undefined || undefined}
          style={
            {
              height: view.spacerPx,
              '--card-columns': view.shape.fieldsPerRow,
              '--card-line': `${linePx}px`,
            } as CSSProperties
          }
          data-movable={moves && true}
          onPointerDown={moves?.press}
          onKeyDown={onKeyDown}
          onFocus={view.onFocus}
          {...cardDropTarget(grid, view)}
        >
          {isShown && view.drawn.map((at) => drawLine({ grid, view, actions, shown, cover, commands }, at))}
        </ul>
      </div>
      <GridNotices {...grid} hasRows={hasLines} />
      <Announcer message={message} />
    </div>
  )
}

/** Commands with a stable identity that call the latest handlers. */
function useCommands(actions: GridActions): CardCommands {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  return useMemo(
    () => ({
      select: (line, isRange) => latest.current.selectRow(line, isRange),
      open: (line) => latest.current.open(line),
    }),
    [],
  )
}

type Shown = {
  readonly title: GridColumn<RecordRow> | undefined
  readonly fields: readonly GridColumn<RecordRow>[]
}

function useShown(
  { columns, layout = DEFAULT_LAYOUT }: GridProps<RecordRow>,
  fields: readonly Field[],
  { fieldCount, cover }: CardsOptions,
): Shown {
  return useMemo(() => {
    const title = columns.find(({ isTitle }) => isTitle)
    const inOrder = shownColumns(columns, layout).ids.flatMap((id) => {
      const column = columns.find((each) => each.id === id)
      const kind = fields.find((field) => field.id === id)?.kind
      return column && column !== title && id !== cover ? [{ column, kind }] : []
    })
    return { title, fields: cardFields(inOrder, fieldCount).map(({ column }) => column) }
  }, [columns, layout, fields, fieldCount, cover])
}

type Drawing = {
  readonly grid: GridProps<RecordRow>
  readonly view: CardView
  readonly actions: GridActions
  readonly shown: Shown
  readonly cover: Field | undefined
  readonly commands: CardCommands
}

function drawLine(drawing: Drawing, at: CardPosition): ReactNode {
  const { grid, view } = drawing
  const { line, unit, column, found } = at
  const place = {
    line,
    topPx: view.topOf(unit),
    startPx: view.startOf(column),
    isActive: view.active === line,
    position: positionOf(view.lines, line, found),
    size: sizeOf(grid, view),
  }
  return found.kind === 'group' ? drawGroup(drawing, place, found) : drawCard(drawing, place, found.ordinal)
}

function drawGroup({ grid, actions }: Drawing, place: CardPlace, found: Extract<GridLine, { kind: 'group' }>) {
  const group = grid.grouping?.groupAt(found.groupIndex)
  if (!group) return null
  return (
    <GroupCard
      key={`group ${group.key}`}
      {...place}
      group={group}
      countText={(grid.texts ?? GRID_TEXTS_EN).count(group.count)}
      isExpanded={found.isExpanded}
      onToggle={() => actions.toggleGroup(place.line, false)}
    />
  )
}

const paintIn = ({ paintOf }: GridProps<RecordRow>, row: RecordRow | undefined) =>
  row === undefined ? undefined : paintOf?.(row)?.row

function drawCard({ grid, view, commands, shown, cover }: Drawing, place: CardPlace, ordinal: number) {
  const { source, texts = GRID_TEXTS_EN, selection, idOf } = grid
  const row = rowAt(source, ordinal)
  return (
    <RecordCard
      key={row === undefined ? `at ${ordinal}` : idOf(row)}
      {...place}
      {...shown}
      row={row}
      shape={view.shape}
      cover={cover}
      name={row === undefined ? texts.loading : (grid.nameOf?.(row) ?? '')}
      href={row === undefined ? undefined : grid.hrefOf?.(row)}
      paint={paintIn(grid, row)}
      isCurrent={row !== undefined && idOf(row) === grid.currentId}
      isSelected={selection && row !== undefined && isSelected(selection, idOf(row))}
      commands={commands}
      onMenu={grid.onCellMenu}
      texts={texts}
    />
  )
}

type SelectAllProps = { readonly grid: GridProps<RecordRow>; readonly onSelectAll: () => void }

function SelectAll({ grid, onSelectAll }: SelectAllProps) {
  const { source, texts = GRID_TEXTS_EN } = grid
  const state = stateOfAll(grid)
  if (state === undefined) return null
  return (
    <label className="card-select-all">
      <span className="card-box">
        <input
          type="checkbox"
          checked={state === 'all'}
          ref={(box) => {
            if (box) box.indeterminate = state === 'some'
          }}
          onChange={onSelectAll}
        />
      </span>
      {source.kind === 'page' ? texts.selectPage : texts.selectEverything}
    </label>
  )
}

/** Group headers count as list items. */
const positionOf = (lines: GridLines, line: number, found: GridLine): number =>
  lines.isGrouped || found.kind === 'group' ? line + 1 : found.ordinal + 1

/** Number of items in the list; -1 while unknown. */
function sizeOf({ source }: GridProps<RecordRow>, { lines }: CardView): number {
  if (lines.isGrouped) return lines.lineCount
  const total = totalOf(source)
  return total.is === 'exact' ? total.count : -1
}
