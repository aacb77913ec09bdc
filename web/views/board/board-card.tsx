import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { memo, type MouseEvent as ReactMouseEvent, useEffect, useLayoutEffect, useRef } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { isEmptyClientValue, toClientValue } from '#web/shared/fields/client-value.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import type { MenuCommand } from '#web/ui/grid/editing/grid-editing.ts'
import type { ColorMark } from '#web/ui/grid/rows/body-row.tsx'
import { IconDots } from '#web/ui/icons/frame.ts'
import type { BoardContext } from './board-context.ts'
import { placeBeside, shiftCard } from './board-keys.ts'
import type { BoardCell, BoardMoves } from './board-moves.ts'
import type { RecordPlace } from '../view-kind.ts'

type CardProps = {
  readonly board: BoardContext
  readonly cell: BoardCell
  readonly cells: readonly BoardCell[]
  /** Undefined while loading. */
  readonly row: RecordRow | undefined
  readonly index: number
  readonly size: number
  readonly topPx: number
  readonly measureRef: (element: Element | null) => void
  readonly isTabStop: boolean
  readonly paint: ColorMark | undefined
  readonly isCurrent: boolean
}

export const BoardCard = memo(function BoardCard(props: CardProps) {
  const { row, index, size, topPx, measureRef, paint, isCurrent } = props
  return (
    <li
      ref={measureRef}
      className="board-place"
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={size}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      {row === undefined ? (
        <div className="board-card" aria-busy role="img" aria-label={t('Loading')}>
          <span className="grid-skeleton" />
          <span className="grid-skeleton" />
        </div>
      ) : (
        <div
          className="board-card"
          data-index={index}
          aria-current={isCurrent || undefined}
          {...(paint && { 'data-hue': paint.hue, 'data-sign': paint.sign })}
        >
          <CardContent {...props} row={row} />
          {paint && <span className="visually-hidden">{paint.why}</span>}
        </div>
      )}
    </li>
  )
})

/** Kinds whose values explain themselves, so that their label is only read out. */
const SPEAKS_FOR_ITSELF: ReadonlySet<Field['kind']> = new Set([
  'select',
  'multi-select',
  'state',
  'user',
  'relation',
  'reverse',
  'files',
  'email',
  'url',
  'phone',
])

/** With more columns, the menu would be too long; the record itself can be edited instead. */
const MAX_COMMANDS = 12

function CardContent({ board, cell, cells, row, isTabStop }: CardProps & { readonly row: RecordRow }) {
  const { collection, title, fields, cover, actions, moves } = board
  const { record } = row
  const ref = useDraggable(board, cell, row)
  const link = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    const due = moves.focusDue.current
    if (due?.record !== record.id || due.cell !== cell.key) return
    moves.focusDue.current = undefined
    link.current?.focus()
  })
  const name = recordTitle(collection, record)
  const open = (event: ReactMouseEvent) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!isPlain) return
    event.preventDefault()
    actions().open(record)
  }
  const openMenu = (event: ReactMouseEvent, at: { readonly xPx: number; readonly yPx: number }) => {
    event.preventDefault()
    const card = ref.current?.closest<HTMLElement>('.board-card')
    const shifts = card && moves.mayReorder ? [shiftCommand(card, -1, moves), shiftCommand(card, 1, moves)] : []
    const canMove = moves.mayMove && cells.length <= MAX_COMMANDS
    actions().openMenu(record, at, [...(canMove ? moves.commandsFor(row, cell, cells) : []), ...shifts])
  }
  return (
    <div
      ref={ref}
      className="board-body"
      onContextMenu={(event) => openMenu(event, { xPx: event.clientX, yPx: event.clientY })}
    >
      {cover && <Cover row={row} field={cover} />}
      <a
        ref={link}
        className="board-title"
        href={actions().hrefOf(record)}
        tabIndex={isTabStop ? 0 : -1}
        aria-describedby="board-keys"
        draggable={false}
        onClick={open}
      >
        {title?.renderCell(row) ?? name}
      </a>
      <CardFields row={row} fields={fields} />
      <button
        type="button"
        className="board-menu"
        aria-label={t('More actions for {name}', { name })}
        aria-haspopup="menu"
        tabIndex={isTabStop ? 0 : -1}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          openMenu(event, { xPx: left, yPx: bottom })
        }}
      >
        <IconDots size={16} stroke={1.5} aria-hidden />
      </button>
    </div>
  )
}

const shiftCommand = (card: HTMLElement, by: -1 | 1, moves: BoardMoves): MenuCommand => ({
  label: by < 0 ? t('Move up') : t('Move down'),
  run: placeBeside(card, by, 'after') && (() => shiftCard(card, by, moves)),
})

function CardFields({ row, fields }: { readonly row: RecordRow } & Pick<BoardContext, 'fields'>) {
  const filled = fields.filter(({ field }) => !isEmptyClientValue(field.kind, row.record.values[field.name]))
  if (filled.length === 0) return null
  return (
    <dl className="board-fields">
      {filled.map(({ field, column }) => (
        <div key={field.id} data-fault={column.faultOf?.(row) === undefined ? undefined : true}>
          <dt className={SPEAKS_FOR_ITSELF.has(field.kind) ? 'visually-hidden' : undefined}>{column.header}</dt>
          <dd>{column.renderCell(row)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The first image in a files field. */
function Cover({ row, field }: { readonly row: RecordRow; readonly field: Field }) {
  const files = toClientValue('files', row.record.values[field.name])
  const image = files.find(({ thumbUrl }) => thumbUrl !== null)
  return image?.thumbUrl ? (
    <img className="board-cover" src={image.thumbUrl} alt="" loading="lazy" decoding="async" draggable={false} />
  ) : null
}

function hideDropPlace(within: HTMLElement): void {
  for (const shown of within.closest('.board')?.querySelectorAll<HTMLElement>('[data-drop]') ?? [])
    delete shown.dataset['drop']
}

function useDraggable({ moves }: BoardContext, cell: BoardCell, row: RecordRow) {
  const ref = useRef<HTMLDivElement>(null)
  const latest = useRef({ cell, row })
  useLayoutEffect(() => {
    latest.current = { cell, row }
  })
  const { mayMove, mayReorder } = moves
  useEffect(() => {
    const card = ref.current?.closest<HTMLElement>('.board-card')
    if (!card || !mayReorder) return undefined
    const show = (place?: RecordPlace['place']) => {
      hideDropPlace(card)
      if (place !== undefined) card.dataset['drop'] = place
      moves.beside.current = place && { place, neighbor: latest.current.row.record }
    }
    return dropTargetForElements({
      element: card,
      canDrop: ({ source }) => source.data['board'] === moves.dragging,
      onDrag: ({ location }) => {
        const { top, height } = card.getBoundingClientRect()
        const isOwn = moves.dragging.get()?.row.record.id === latest.current.row.record.id
        show(isOwn ? undefined : location.current.input.clientY < top + height / 2 ? 'before' : 'after')
      },
      // Between two cards, the place stays as it is.
      onDragLeave: ({ location }) => {
        if (!location.current.dropTargets.some(({ element }) => element.contains(card))) show()
      },
    })
  }, [moves, mayReorder])
  useEffect(() => {
    const element = ref.current
    if (!element || !(mayMove || mayReorder)) return undefined
    return draggable({
      element,
      getInitialData: () => ({ board: moves.dragging }),
      onDragStart: () => {
        element.dataset['dragged'] = ''
        const card = element.closest<HTMLElement>('.board-card')
        const place = card ? (placeBeside(card, -1, 'after') ?? placeBeside(card, 1, 'before')) : undefined
        moves.pickUp(latest.current.row, latest.current.cell, 'pointer', place)
      },
      onDrop: ({ location }) => {
        delete element.dataset['dragged']
        hideDropPlace(element)
        if (location.current.dropTargets.length === 0) moves.cancel()
      },
    })
  }, [moves, mayMove, mayReorder])
  return ref
}
