import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import { type CSSProperties, type KeyboardEvent, type RefObject, useRef } from 'react'
import { dayNumber } from '#domain/views/dates/date-span.ts'
import { weekdayOf } from '#domain/views/dates/periods.ts'
import {
  TIMELINE_SCALES,
  TIMELINE_ZOOMS,
  type TickUnit,
  ticksBetween,
  type TimelineZoom,
} from '#domain/views/dates/timeline-scale.ts'
import type { TimelineOptions } from '#domain/views/dates/date-fields.ts'
import { t } from '#web/i18n/t.ts'
import { useElementSize } from '#web/ui/browser/use-element-size.ts'
import { GridNotices } from '#web/ui/grid/grid-notices.tsx'
import { rowAt } from '#web/ui/grid/grid-props.ts'
import { IconChevronLeft, IconChevronRight } from '#web/ui/icons/general.ts'
import { NoDateField } from '../dates/date-fields-form.tsx'
import { dayLabel, dayRangeLabel, hourLabel, today } from '../dates/date-texts.ts'
import { datedFieldsOf, FIRST_WEEKDAY } from '../dates/dated-records.ts'
import { type DatedList, runUndoKey, useDateActions } from '../dates/use-date-actions.ts'
import { changePeriod, shownPeriod } from '../dates/shown-days.ts'
import { useDateDrag } from '../dates/use-date-drag.ts'
import { useKeepFocus } from '../dates/use-keep-focus.ts'
import type { ListingProps } from '../view-kind.ts'
import { GroupRow, TimelineRow, type TimelineScene } from './timeline-rows.tsx'
import { type TimeAxis, useTimeAxis } from './use-time-axis.ts'
import { useTimelineRows } from './use-timeline-rows.ts'
import '../../ui/grid/grid.css'
import '../dates/dates.css'
import './timeline.css'

export function Timeline(props: ListingProps<TimelineOptions>) {
  const { collection, options, onOptions } = props
  const fields = datedFieldsOf(collection, options)
  return fields ? (
    <DatedTimeline key={fields.start.id} {...props} fields={fields} />
  ) : (
    <NoDateField collection={collection} fields={options} onChange={(next) => onOptions({ ...options, ...next })} />
  )
}

const TITLE_PX = { wide: 240, narrow: 128 } as const

function DatedTimeline(list: DatedList<TimelineOptions>) {
  const { collection, options, fields, grid, days, onDays, isNarrow } = list
  const scrollerRef = useRef<HTMLDivElement>(null)
  const axisRef = useRef<HTMLDivElement>(null)
  const { widthPx, heightPx } = useElementSize(scrollerRef)
  const titlePx = isNarrow ? TITLE_PX.narrow : TITLE_PX.wide
  const rows = useTimelineRows(grid, scrollerRef, heightPx)
  const zoom = shownPeriod(TIMELINE_ZOOMS, days, options.zoom)
  const axis = useTimeAxis({ days, onDays, zoom, scrollerRef, axisRef, titlePx, widthPx })
  const actions = useDateActions(list)
  const drag = useDateDrag({
    collection,
    fields,
    placeAt: axis.placeAt,
    perLine: { days: 7, minutes: 0 },
    scroller: () => scrollerRef.current,
    onDrop: actions.drop,
  })
  useKeepFocus({
    rootRef: scrollerRef,
    fields,
    moving: drag.moving,
    onReach: (day) => {
      if (day < axis.visible.from || day >= axis.visible.to) axis.goTo(day)
    },
    fallback: () => undefined,
  })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (drag.onKey(event) || event.defaultPrevented || runUndoKey(event, actions)) return
    if (rows.onKey(event)) event.preventDefault()
  }
  const hasRows = rows.lines.lineCount > 0
  const isShown = hasRows && grid.failure === undefined
  const scene = { ...list, actions, drag, axis }
  return (
    <div
      className="timeline"
      data-dragging={drag.moving?.by}
      style={{ '--title': `${titlePx}px` } as CSSProperties}
      onKeyDown={onKeyDown}
    >
      <TimelineToolbar list={list} axis={axis} zoom={zoom} />
      <div className="timeline-body" hidden={!isShown}>
        {widthPx > 0 && <TimeAxisHeader axis={axis} zoom={zoom} axisRef={axisRef} />}
        <div className="timeline-corner">
          {fields.end ? `${fields.start.label} – ${fields.end.label}` : fields.start.label}
        </div>
        <div className="timeline-scroller" ref={scrollerRef} onScroll={axis.onScroll}>
          <ul
            aria-label={grid.label}
            className="timeline-rows"
            style={{ height: rows.spacerPx, width: titlePx + axis.totalPx }}
            onFocus={rows.onFocus}
          >
            {isShown && widthPx > 0 && rows.drawn.map((drawn) => drawLine(drawn, rows, scene))}
          </ul>
        </div>
      </div>
      <GridNotices {...grid} hasRows={hasRows} />
      <span role="status" className="visually-hidden">
        {drag.message}
      </span>
    </div>
  )
}

type Rows = ReturnType<typeof useTimelineRows>

function drawLine({ line, found, topPx }: Rows['drawn'][number], { active, toggle }: Rows, scene: TimelineScene) {
  const { grid } = scene
  const place = { line, topPx, isActive: line === active }
  if (found.kind === 'group')
    return <GroupRow key={`group ${line}`} {...place} grid={grid} found={found} onToggle={toggle} />
  const row = rowAt(grid.source, found.ordinal)
  return (
    <TimelineRow key={row === undefined ? `at ${found.ordinal}` : row.record.id} {...place} scene={scene} row={row} />
  )
}

const ZOOM_LABELS: { readonly [Zoom in TimelineZoom]: string } = {
  day: t('Day'),
  week: t('Week'),
  month: t('Month'),
  quarter: t('Quarter'),
  year: t('Year'),
}

type ToolbarProps = {
  readonly list: DatedList<TimelineOptions>
  readonly axis: TimeAxis
  readonly zoom: TimelineZoom
}

function TimelineToolbar({ list, axis, zoom: shown }: ToolbarProps) {
  const { options, fields, grid, onOptions } = list
  const { from, to } = axis.visible
  const isSorted = grid.sort.some(({ columnId }) => columnId === fields.start.id)
  const step = (by: number) => axis.go(from + axis.visibleDays * (0.3 + by * 0.7))
  return (
    <div className="dates-toolbar" role="group" aria-label={t('Timeline')}>
      <Button size="xs" onClick={() => axis.go(dayNumber(today()))}>
        {t('Today')}
      </Button>
      <div className="dates-steps">
        <ActionIcon size="sm" aria-label={t('Earlier')} title={t('Earlier')} onClick={() => step(-1)}>
          <IconChevronLeft className="dates-chevron" size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
        <ActionIcon size="sm" aria-label={t('Later')} title={t('Later')} onClick={() => step(1)}>
          <IconChevronRight className="dates-chevron" size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
      </div>
      <h2 className="dates-title">
        {dayRangeLabel(Math.floor(from), Math.floor(to), { month: 'short', year: 'numeric' })}
      </h2>
      {!isSorted && grid.onSort && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => grid.onSort?.([{ columnId: fields.start.id, direction: 'asc' }])}
        >
          {t('Sort by {field}', { field: fields.start.label })}
        </Button>
      )}
      <SegmentedControl
        size="xs"
        aria-label={t('Zoom')}
        data={TIMELINE_ZOOMS.map((value) => ({ value, label: ZOOM_LABELS[value] }))}
        value={shown}
        onChange={(zoom) => {
          changePeriod(list, shown, { period: zoom })
          onOptions({ ...options, zoom })
        }}
      />
    </div>
  )
}

type TimeAxisHeaderProps = {
  readonly axis: TimeAxis
  readonly zoom: TimelineZoom
  readonly axisRef: RefObject<HTMLDivElement | null>
}

/** The dates above the rows, and the lines behind them. */
function TimeAxisHeader({ axis, zoom, axisRef }: TimeAxisHeaderProps) {
  const { major, minor } = TIMELINE_SCALES[zoom]
  const { from, to } = axis.visible
  const around = [from - axis.visibleDays, to + axis.visibleDays] as const
  const now = dayNumber(today())
  const place = (start: number, end: number): CSSProperties => ({
    insetInlineStart: axis.pxOf(start),
    width: axis.pxOf(end) - axis.pxOf(start),
  })
  return (
    <div className="timeline-clip" ref={axisRef} aria-hidden>
      <div className="timeline-axis" style={{ width: axis.totalPx }}>
        {ticksBetween(major, ...around, FIRST_WEEKDAY).map((tick) => (
          <div key={tick.from} className="timeline-major" style={place(tick.from, tick.to)}>
            <span>{majorLabel(major, tick.from)}</span>
          </div>
        ))}
        {ticksBetween(minor, ...around, FIRST_WEEKDAY).map((tick) => (
          <div
            key={tick.from}
            className="timeline-minor"
            data-unit={minor}
            data-weekend={(minor === 'day' && weekdayOf(tick.from) > 5) || undefined}
            data-today={(minor === 'day' && tick.from === now) || undefined}
            style={place(tick.from, tick.to)}
          >
            <span>{minorLabel(minor, tick.from, zoom)}</span>
          </div>
        ))}
        <div className="timeline-now" style={{ insetInlineStart: axis.pxOf(now + 0.5) }} />
      </div>
    </div>
  )
}

function majorLabel(unit: TickUnit, from: number): string {
  if (unit === 'year') return dayLabel(from, { year: 'numeric' })
  if (unit === 'month') return dayLabel(from, { month: 'long', year: 'numeric' })
  if (unit === 'week') return dayLabel(from, { day: 'numeric', month: 'long', year: 'numeric' })
  return dayLabel(from, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
}

function minorLabel(unit: TickUnit, from: number, zoom: TimelineZoom): string {
  if (unit === 'hours') return hourLabel(Math.round((from - Math.floor(from)) * 24))
  if (unit === 'month') return dayLabel(from, { month: 'short' })
  return dayLabel(from, zoom === 'week' ? { weekday: 'short', day: 'numeric' } : { day: 'numeric' })
}
