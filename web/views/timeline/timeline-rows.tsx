import type { CSSProperties } from 'react'
import type { TimelineOptions } from '#domain/views/dates/date-fields.ts'
import { dayText, scaleOfSpan, valueOnDay } from '#domain/views/dates/date-span.ts'
import { t } from '#web/i18n/t.ts'
import { GRID_TEXTS_EN, type GridProps } from '#web/ui/grid/grid-props.ts'
import type { GridLine } from '#web/ui/grid/rows/row-window.ts'
import { IconChevronLeft, IconChevronRight } from '#web/ui/icons/general.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { datesLabel } from '../dates/date-texts.ts'
import { datedRecord, mayMove, placedRecord, TIME_ZONE } from '../dates/dated-records.ts'
import { EventLink, isPlainClick } from '../dates/event-link.tsx'
import type { DateActions, DatedList } from '../dates/use-date-actions.ts'
import type { DateDrag } from '../dates/use-date-drag.ts'
import type { TimeAxis } from './use-time-axis.ts'

export type TimelineScene = Omit<DatedList<TimelineOptions>, 'actions'> & {
  readonly actions: DateActions
  readonly drag: DateDrag
  readonly axis: TimeAxis
}

type LinePlace = { readonly line: number; readonly topPx: number; readonly isActive: boolean }

type GroupRowProps = LinePlace & {
  readonly grid: GridProps<RecordRow>
  readonly found: Extract<GridLine, { kind: 'group' }>
  readonly onToggle: (line: number) => void
}

export function GroupRow({ line, topPx, isActive, grid, found, onToggle }: GroupRowProps) {
  const { grouping, texts = GRID_TEXTS_EN } = grid
  const group = grouping?.groupAt(found.groupIndex)
  if (!group) return null
  return (
    <li className="timeline-row timeline-group" data-line={line} style={{ top: topPx }}>
      <button
        type="button"
        data-stop
        tabIndex={isActive ? 0 : -1}
        aria-expanded={found.isExpanded}
        style={{ paddingInlineStart: 12 + group.depth * 16 }}
        onClick={() => onToggle(line)}
      >
        <IconChevronRight className="timeline-group-chevron" size={16} stroke={1.5} aria-hidden />
        <span className="timeline-group-label">{group.label}</span>
        <span className="timeline-group-count">{texts.count(group.count)}</span>
      </button>
    </li>
  )
}

type TimelineRowProps = LinePlace & {
  readonly scene: TimelineScene
  /** Undefined while loading. */
  readonly row: RecordRow | undefined
}

export function TimelineRow({ line, topPx, isActive, scene, row }: TimelineRowProps) {
  const { collection, actions, grid } = scene
  const tabIndex = isActive ? 0 : -1
  if (!row) {
    return (
      <li className="timeline-row" data-line={line} aria-busy style={{ top: topPx }}>
        <div className="timeline-title">
          <span className="grid-skeleton" style={{ width: `${40 + ((line * 37) % 40)}%` }} />
        </div>
      </li>
    )
  }
  const { record } = row
  const paint = actions.colorOf(record)
  return (
    <li
      className="timeline-row"
      data-line={line}
      aria-current={record.id === actions.currentId || undefined}
      style={{ top: topPx }}
    >
      <div className="timeline-title" {...(paint && { 'data-hue': paint.hue })}>
        <a
          href={grid.hrefOf?.(row)}
          data-stop
          tabIndex={tabIndex}
          onClick={(event) => {
            if (!isPlainClick(event)) return
            event.preventDefault()
            grid.onOpenRow?.(row)
          }}
        >
          {recordTitle(collection, record)}
        </a>
      </div>
      <Track scene={scene} row={row} tabIndex={tabIndex} />
    </li>
  )
}

type TrackProps = { readonly scene: TimelineScene; readonly row: RecordRow; readonly tabIndex: number }

/** In px, so that short records can still be seen and grabbed. */
const MIN_BAR_PX = 10

function Track({ scene, row, tabIndex }: TrackProps) {
  const { collection, fields, drag, axis, actions } = scene
  const { moving } = drag
  const isMoving = moving?.row.record.id === row.record.id
  const isPlaced = isMoving && !(moving.isUndated === true && moving.isOutside === true)
  const record = isPlaced
    ? { ...placedRecord(collection, fields.kind, row, moving.to), isMoving }
    : datedRecord(collection, fields, row)
  const may = mayMove(collection, fields, row)
  if (!record) return may.all ? <SetDate scene={scene} row={row} tabIndex={tabIndex} /> : null
  const { from, to } = scaleOfSpan(record)
  const { visible, visibleDays } = axis
  const isNear = to > visible.from - visibleDays && from < visible.to + visibleDays
  const style: CSSProperties = {
    insetInlineStart: axis.pxOf(from),
    width: Math.max(MIN_BAR_PX, axis.pxOf(to) - axis.pxOf(from)),
  }
  return (
    <>
      {(isNear || isMoving) && (
        <div className="timeline-bar" style={style}>
          <EventLink
            record={record}
            fields={fields}
            may={may}
            tabIndex={tabIndex}
            hasStart
            hasEnd
            actions={{ ...actions, open: () => scene.grid.onOpenRow?.(row) }}
            drag={drag}
          />
        </div>
      )}
      {to <= visible.from && <Jump scene={scene} record={record} to="before" />}
      {from >= visible.to && <Jump scene={scene} record={record} to="after" />}
    </>
  )
}

type JumpProps = {
  readonly scene: TimelineScene
  readonly record: NonNullable<ReturnType<typeof datedRecord>>
  readonly to: 'before' | 'after'
}

/** Scrolls to a record that is before or after the visible days. */
function Jump({ scene: { fields, axis }, record, to }: JumpProps) {
  const date = datesLabel(fields.kind, record.dates)
  const Chevron = to === 'before' ? IconChevronLeft : IconChevronRight
  return (
    <button
      type="button"
      className="timeline-jump"
      data-to={to}
      tabIndex={-1}
      title={date}
      aria-label={t('Go to {name}, {date}', { name: record.name, date })}
      onClick={() => axis.go(record.first)}
    >
      <Chevron className="dates-chevron" size={14} stroke={1.75} aria-hidden />
    </button>
  )
}

/** Sets the date of a record without one: by a click on a day, or by keyboard from the days in sight. */
function SetDate({ scene, row, tabIndex }: TrackProps) {
  const { collection, fields, drag, axis, actions } = scene
  const on = (day: number) => ({ start: valueOnDay(fields.kind, dayText(day) ?? '', TIME_ZONE), end: null })
  const set = (day: number) => {
    const to = on(day)
    actions.drop({ row, dates: to, to, isUndated: true, edge: 'both', days: 0, minutes: 0, by: 'pointer' })
  }
  return (
    <button
      type="button"
      className="timeline-set"
      data-event={row.record.id}
      tabIndex={tabIndex}
      aria-label={t('Set the date of {name}', { name: recordTitle(collection, row.record) })}
      title={t('Click a day to set the date')}
      onClick={({ clientX, clientY, detail }) => {
        const middle = Math.floor((axis.visible.from + axis.visible.to) / 2)
        const place = axis.placeAt({ xPx: clientX, yPx: clientY })
        const day = place && Math.floor(place.day)
        if (detail === 0) drag.pickUp({ row, dates: on(middle), isUndated: true })
        else if (day !== undefined && dayText(day) !== undefined) set(day)
      }}
    />
  )
}
