import type { DragEvent, KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import type { DateEdge } from '#domain/views/dates/date-span.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordActions } from '../view-kind.ts'
import { datesLabel, dayLabel, timeLabel } from './date-texts.ts'
import type { DatedFields, DatedRecord, MayMove } from './dated-records.ts'
import type { DateDrag, Movable } from './use-date-drag.ts'

type EventLinkProps = {
  readonly record: DatedRecord
  readonly fields: DatedFields
  readonly may: MayMove
  readonly tabIndex: number
  /** Whether the record starts or ends here; otherwise it continues outside. */
  readonly hasStart: boolean
  readonly hasEnd: boolean
  /** Whether the last day is written, because it isn't drawn. */
  readonly isEndWritten?: boolean
  /** The day that follows the pointer when an end is dragged; by default, the one under it. */
  readonly edgeDay?: (edge: DateEdge) => number
  readonly actions: RecordActions
  readonly drag: DateDrag
}

export const isPlainClick = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

/** A record as a bar. Opens it; dragging moves it, and dragging an end changes its length. */
export function EventLink(props: EventLinkProps) {
  const { record, fields, may, tabIndex, hasStart, hasEnd, isEndWritten = false, actions } = props
  const { name, dates, isReversed } = record
  return (
    <a
      className="event"
      href={actions.hrefOf(record.row.record)}
      draggable={false}
      data-stop
      tabIndex={tabIndex}
      {...marksOf(props)}
      {...handlersOf(props)}
    >
      {may.start && hasStart && <Edge {...props} edge="start" />}
      {isReversed && (
        <span className="event-warning" aria-hidden>
          !
        </span>
      )}
      {isTimed(record) && (
        <span className="event-time" aria-hidden>
          {timeLabel(dates.start)}
        </span>
      )}
      <span className="event-name">{name}</span>
      <span className="visually-hidden">{datesLabel(fields.kind, dates)}</span>
      {isEndWritten && record.last > record.first && (
        <span className="event-time event-until" aria-hidden>
          {t('until {date}', { date: dayLabel(record.last, { day: 'numeric', month: 'short' }) })}
        </span>
      )}
      {may.end && hasEnd && <Edge {...props} edge="end" />}
    </a>
  )
}

const isTimed = ({ startMinute, first, last }: DatedRecord): boolean => startMinute !== null && first === last

function marksOf({ record, fields, may, hasStart, hasEnd, actions }: EventLinkProps) {
  const { name, row, dates, isReversed } = record
  const paint = actions.colorOf(row.record)
  const warning = isReversed ? [t('Ends before it starts')] : []
  const described = [...warning, ...(paint ? [paint.why] : []), ...(may.all ? [t('Space to move')] : [])]
  return {
    'data-event': row.record.id,
    'data-timed': isTimed(record) || undefined,
    'data-moving': record.isMoving || undefined,
    'data-movable': may.all || undefined,
    'data-before': !hasStart || undefined,
    'data-after': !hasEnd || undefined,
    ...(paint && { 'data-hue': paint.hue, 'data-sign': paint.sign }),
    'aria-description': described.length > 0 ? described.join(' · ') : undefined,
    'aria-current': row.record.id === actions.currentId || undefined,
    title: [name, datesLabel(fields.kind, dates), ...warning].join('\n'),
  }
}

function handlersOf({ record, actions, drag }: EventLinkProps) {
  const { row } = record
  return {
    onClick: (event: MouseEvent) => {
      if (!isPlainClick(event)) return
      event.preventDefault()
      actions.open(row.record)
    },
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault()
      actions.openMenu(row.record, { xPx: event.clientX, yPx: event.clientY })
    },
    onDragStart: (event: DragEvent) => event.preventDefault(),
    onPointerDown: (event: PointerEvent<HTMLElement>) => drag.press(event, record, 'both'),
    onKeyDown: (event: KeyboardEvent) => pickUpByKey(event, drag, record),
  }
}

/** Space picks up a record. */
export function pickUpByKey(event: KeyboardEvent, drag: DateDrag, movable: Movable): void {
  if (event.key !== ' ' || drag.moving) return
  event.preventDefault()
  event.stopPropagation()
  drag.pickUp(movable)
}

/** The keyboard moves ends in another way, so this isn't a control of its own. */
function Edge({ edge, record, edgeDay, drag }: EventLinkProps & { readonly edge: DateEdge }) {
  return (
    <span
      className="event-edge"
      data-edge={edge}
      onPointerDown={(event) => {
        event.stopPropagation()
        drag.press(event, record, edge, edgeDay?.(edge))
      }}
    />
  )
}
