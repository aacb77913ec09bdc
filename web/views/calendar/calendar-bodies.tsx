import { useMemo } from 'react'
import { dayNumber } from '#domain/views/dates/date-span.ts'
import type { PlacedBar } from '#domain/views/dates/place-bars.ts'
import { t } from '#web/i18n/t.ts'
import { GridNotices } from '#web/ui/grid/grid-notices.tsx'
import { GRID_TEXTS_EN } from '#web/ui/grid/grid-props.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { dayLabel, FULL_DAY, today } from '../dates/date-texts.ts'
import { type DatedRecord, mayMove } from '../dates/dated-records.ts'
import { EventLink } from '../dates/event-link.tsx'
import { useDatedRecords } from '../dates/use-dated-records.ts'
import { Agenda } from './agenda.tsx'
import { Hours } from './hours.tsx'
import { MonthRows } from './month-rows.tsx'
import { NearestRecords } from './nearest-records.tsx'
import {
  type CalendarRecords,
  type CalendarScene,
  queryOf,
  useRecordsOfDays,
  useRecordsOfPeriod,
} from './use-calendar-records.ts'

const frames = lazyModule(() => import('#web/ui/popup/popup-frames.tsx'))

type CalendarBodyProps = {
  readonly scene: CalendarScene
  readonly onDay: (day: number) => void
  readonly onMore: (day: number, button: HTMLElement) => void
}

/** The bar of a record in a calendar. */
function SceneEvent(props: {
  readonly scene: CalendarScene
  readonly record: DatedRecord
  readonly tabIndex: number
  readonly hasStart?: boolean
  readonly hasEnd?: boolean
  /** Whether a dragged end follows the pointer exactly, as in the hours of a day. */
  readonly isUnderPointer?: boolean
  readonly isEndWritten?: boolean
}) {
  const { scene, record, isUnderPointer = false, hasStart = true, hasEnd = true, ...rest } = props
  const { collection, fields, drag, actions } = scene
  const { row } = record
  return (
    <EventLink
      record={record}
      fields={fields}
      may={mayMove(collection, fields, row)}
      {...rest}
      hasStart={hasStart}
      hasEnd={hasEnd}
      {...(!isUnderPointer && { edgeDay: (edge) => (edge === 'start' ? record.first : record.last) })}
      actions={actions}
      drag={drag}
    />
  )
}

const sceneBar = (
  scene: CalendarScene,
  { item, continuesBefore, continuesAfter }: PlacedBar<DatedRecord>,
  tabIndex: number,
) => <SceneEvent scene={scene} record={item} tabIndex={tabIndex} hasStart={!continuesBefore} hasEnd={!continuesAfter} />

const useSceneRecords = (
  { collection, fields, actions: { dropped }, drag: { moving } }: CalendarScene,
  { records }: CalendarRecords,
) => useDatedRecords({ collection, fields, records, dropped, moving })

const isEmpty = ({ records, isLoading, error }: CalendarRecords): boolean =>
  records.length === 0 && !isLoading && error === null

/** A month or a week. */
export function WeeksBody({ scene, onDay, onMore }: CalendarBodyProps) {
  const { period, day, range, activeDay, actions, grid } = scene
  const found = useRecordsOfPeriod(queryOf(scene))
  const records = useSceneRecords(scene, found)
  return (
    <div className="calendar-scroller" aria-busy={found.isLoading || undefined}>
      <MonthRows
        range={range}
        records={grid.failure === undefined ? records : []}
        startingOn={found.startingOn}
        month={period === 'month' ? day.slice(0, 7) : undefined}
        today={dayNumber(today())}
        activeDay={activeDay}
        actions={{ openDay: onDay, showMore: onMore, create: actions.createOn }}
        renderEvent={(bar, tabIndex) => sceneBar(scene, bar, tabIndex)}
      />
      {isEmpty(found) && <NearestRecords scene={scene} />}
      <Notices scene={scene} found={found} />
    </div>
  )
}

/** The hours of a week or a day. */
export function HoursBody({ scene, onDay, onMore }: CalendarBodyProps) {
  const { range, activeDay, actions, grid } = scene
  const found = useRecordsOfPeriod(queryOf(scene))
  const records = useSceneRecords(scene, found)
  return (
    <div className="calendar-scroller" aria-busy={found.isLoading || undefined}>
      <Hours
        range={range}
        records={grid.failure === undefined ? records : []}
        startingOn={found.startingOn}
        today={dayNumber(today())}
        activeDay={activeDay}
        actions={{ openDay: onDay, showMore: onMore, create: actions.createOn }}
        onCreateAt={actions.createOn}
        renderEvent={(bar, tabIndex) => sceneBar(scene, bar, tabIndex)}
        renderTime={({ item }, tabIndex) => (
          <SceneEvent scene={scene} record={item} tabIndex={tabIndex} isUnderPointer />
        )}
      />
      {isEmpty(found) && <NearestRecords scene={scene} />}
      <Notices scene={scene} found={found} />
    </div>
  )
}

/** A day, or a list of the days that have records. */
export function DaysBody({ scene }: Pick<CalendarBodyProps, 'scene'>) {
  const { grid } = scene
  const found = useRecordsOfDays(queryOf(scene))
  return (
    <div className="calendar-scroller">
      {grid.failure === undefined && <Days scene={scene} found={found} />}
      {isEmpty(found) && <NearestRecords scene={scene} />}
      <Notices scene={scene} found={found} />
    </div>
  )
}

function Days({ scene, found }: { readonly scene: CalendarScene; readonly found: CalendarRecords }) {
  const { range, period, activeDay, actions } = scene
  const records = useSceneRecords(scene, found)
  const date = dayLabel(range.first, period === 'day' ? FULL_DAY : { month: 'long', year: 'numeric' })
  return (
    <Agenda
      range={range}
      records={records}
      today={dayNumber(today())}
      activeDay={activeDay}
      isLoading={found.isLoading}
      more={found.more}
      isLoadingMore={found.isLoadingMore}
      create={actions.createOn}
      empty={<p className="calendar-empty">{found.error === null && t('No records in {date}', { date })}</p>}
      renderEvent={(record, tabIndex) => <SceneEvent scene={scene} record={record} tabIndex={tabIndex} isEndWritten />}
    />
  )
}

type NoticesProps = { readonly scene: CalendarScene; readonly found: CalendarRecords }

function Notices({ scene: { grid }, found: { isLoading, error, retry } }: NoticesProps) {
  const { texts = GRID_TEXTS_EN } = grid
  return (
    <>
      {isLoading && <div className="grid-progress" aria-hidden />}
      {grid.failure !== undefined && <GridNotices {...grid} hasRows={false} />}
      {error !== null && grid.failure === undefined && (
        <div role="alert" className="grid-failure">
          {texts.rowsFailed}
          <button type="button" className="grid-text-button" onClick={retry}>
            {texts.tryAgain}
          </button>
        </div>
      )}
    </>
  )
}

type DayPanelProps = {
  readonly scene: CalendarScene
  readonly day: number
  readonly button: HTMLElement
  readonly onClose: () => void
}

/** All records of a crowded day. */
export function DayPanel({ scene, day, button, onClose }: DayPanelProps) {
  const { PanelFrame } = useLazyModule(frames, true) ?? {}
  const ofDay = useMemo(() => ({ ...scene, range: { first: day, count: 1 }, period: 'day' as const }), [scene, day])
  const found = useRecordsOfDays(queryOf(ofDay))
  return (
    PanelFrame && (
      <PanelFrame
        anchor={{ id: `day-${day}`, element: button }}
        isOpen
        onOpen={(isOpen) => isOpen || onClose()}
        position="bottom-start"
        className="tool-panel calendar-day-panel"
        label={dayLabel(day, FULL_DAY)}
        panel={undefined}
        closesItself
      >
        <Days scene={ofDay} found={found} />
        <Notices scene={ofDay} found={found} />
      </PanelFrame>
    )
  )
}
