import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type DateEdge, type DateValues, moveDates } from '#domain/views/dates/date-span.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { followScrollingDrag, type PointerAt, whenDragged } from '#web/ui/browser/pointer-drag.ts'
import { keyInTextDirection } from '#web/ui/shortcuts/shortcuts.tsx'
import { datesLabel } from './date-texts.ts'
import { type DatedFields, mayMove, TIME_ZONE } from './dated-records.ts'

/** A record that can be moved; without a date, it starts at the given one. */
export type Movable = { readonly row: RecordRow; readonly dates: DateValues; readonly isUndated?: boolean }

/** A record while it is moved by pointer or keyboard. */
export type Moving = Movable & {
  readonly edge: DateEdge | 'both'
  /** Distance from the dates before the move. */
  readonly days: number
  readonly minutes: number
  readonly to: DateValues
  readonly by: 'pointer' | 'keys'
  /** The pointer isn't over a day, so dropping the record wouldn't move it. */
  readonly isOutside?: boolean
}

/** A day and, where hours are shown, a minute of it; otherwise, the day can be a fraction. */
export type TimePlace = { readonly day: number; readonly minute: number | null }

type DateDragInput = {
  readonly collection: TypedCollection
  readonly fields: DatedFields
  /** The time under the pointer; undefined outside. */
  readonly placeAt: (at: PointerAt) => TimePlace | undefined
  /** What the up and down arrow keys move by. */
  readonly perLine: { readonly days: number; readonly minutes: number }
  readonly onDrop: (moving: Moving) => void
  /** Scrolls while a pointer drags near its edges. */
  readonly scroller: () => HTMLElement | null | undefined
}

export type DateDrag = {
  readonly moving: Moving | undefined
  /** What screen readers announce. */
  readonly message: string
  /** Picks up a record by keyboard, or announces why it can't be moved. */
  readonly pickUp: (movable: Movable) => void
  /** Moves, drops or releases a record that was picked up; returns whether the key was used. */
  readonly onKey: (event: KeyboardEvent) => boolean
  /** Starts a drag. `from` is the day that follows the pointer; by default, the one under it. */
  readonly press: (event: PointerEvent<HTMLElement>, movable: Movable, edge: Moving['edge'], from?: number) => void
}

/** What an event handler needs to know now, because handlers outlive the render that created them. */
type DragState = {
  readonly input: () => DateDragInput
  readonly moving: () => Moving | undefined
  readonly set: (moving: Moving | undefined) => void
  readonly announce: (text: string) => void
}

/** Records move in steps of this many minutes where hours are shown. */
const STEP_MINUTES = 15

const NOT_MOVED = { days: 0, minutes: 0 } as const

/** Moves records in time and changes their length by mouse, touch or keyboard. */
export function useDateDrag(input: DateDragInput): DateDrag {
  const [moving, setMoving] = useState<Moving>()
  const [message, setMessage] = useState('')
  const latest = useRef({ input, moving })
  useLayoutEffect(() => {
    latest.current = { input, moving }
  })
  const commands = useMemo(() => {
    const state: DragState = {
      input: () => latest.current.input,
      moving: () => latest.current.moving,
      set: (next) => {
        latest.current.moving = next
        setMoving(next)
      },
      // Screen readers announce a repeated message only if its text changes.
      announce: (text) => setMessage((before) => (before === text ? `${text}\u00A0` : text)),
    }
    const moves = createMoves(state)
    return {
      pickUp: (movable: Movable) => pickUp(state, movable),
      onKey: (event: KeyboardEvent) => runKey(state, moves, event),
      press: (...pressed: Parameters<DateDrag['press']>) => press(state, moves, pressed),
    }
  }, [])
  return { moving, message, ...commands }
}

const nameOf = ({ input }: DragState, { row }: Movable): string => recordTitle(input().collection, row.record)

const labelOf = ({ input }: DragState, dates: DateValues): string => datesLabel(input().fields.kind, dates)

type Moves = ReturnType<typeof createMoves>

function createMoves(state: DragState) {
  return {
    /** Ignored if the end would be before the start. */
    moveTo: (days: number, minutes: number): void => {
      const now = state.moving()
      if (!now || (now.days === days && now.minutes === minutes && now.isOutside !== true)) return
      const { kind } = state.input().fields
      const to = moveDates(kind, now.dates, { edge: now.edge, days, minutes }, TIME_ZONE)
      if (!to) return
      state.set({ ...now, days, minutes, to, isOutside: false })
      if (now.by === 'keys') state.announce(labelOf(state, to))
    },
    leave: (): void => {
      const now = state.moving()
      if (now && now.isOutside !== true) state.set({ ...now, ...NOT_MOVED, to: now.dates, isOutside: true })
    },
    cancel: (): void => {
      const now = state.moving()
      state.set(undefined)
      if (now?.by === 'keys') state.announce(t('Canceled. {name} wasn’t moved.', { name: nameOf(state, now) }))
    },
    drop: (): void => {
      const now = state.moving()
      state.set(undefined)
      if (!now) return
      const name = nameOf(state, now)
      const isSame = now.days === 0 && now.minutes === 0 && now.isUndated !== true
      if (now.isOutside === true || isSame) return state.announce(t('{name} wasn’t moved.', { name }))
      state.announce(t('{name} moved to {date}.', { name, date: labelOf(state, now.to) }))
      state.input().onDrop(now)
    },
    /** Starts over with another edge. */
    take: (edge: DateEdge): void => {
      const now = state.moving()
      const { collection, fields } = state.input()
      if (!now || now.isUndated === true || !mayMove(collection, fields, now.row)[edge]) return
      state.set({ ...now, ...NOT_MOVED, edge, to: now.dates })
      state.announce(edge === 'start' ? t('Moving only the start.') : t('Moving only the end.'))
    },
  }
}

function pickUp(state: DragState, movable: Movable): void {
  const { collection, fields } = state.input()
  const may = mayMove(collection, fields, movable.row)
  const name = nameOf(state, movable)
  if (!may.all) return state.announce(t('{name} can’t be moved: its date is read-only.', { name }))
  state.set({ ...movable, ...NOT_MOVED, edge: 'both', to: movable.dates, by: 'keys' })
  const said = { name, date: labelOf(state, movable.dates) }
  state.announce(
    may.end
      ? t(
          'Picked up {name}, {date}. Move it with the arrow keys, press E to move only its end or S only its start, and drop it with Space. Escape cancels.',
          said,
        )
      : t('Picked up {name}, {date}. Move it with the arrow keys, and drop it with Space. Escape cancels.', said),
  )
}

function runKey(state: DragState, moves: Moves, event: KeyboardEvent): boolean {
  const now = state.moving()
  if (now?.by !== 'keys' || event.ctrlKey || event.metaKey) return false
  if (event.key === 'Tab') {
    moves.cancel()
    return false
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : keyInTextDirection(event.key)
  const run = keyCommands(state, moves, now)[key]
  if (!run) return false
  run()
  event.preventDefault()
  event.stopPropagation()
  return true
}

function keyCommands(
  state: DragState,
  moves: Moves,
  { days, minutes }: Moving,
): { readonly [key: string]: () => void } {
  const { perLine } = state.input()
  return {
    ArrowLeft: () => moves.moveTo(days - 1, minutes),
    ArrowRight: () => moves.moveTo(days + 1, minutes),
    ArrowUp: () => moves.moveTo(days - perLine.days, minutes - perLine.minutes),
    ArrowDown: () => moves.moveTo(days + perLine.days, minutes + perLine.minutes),
    ' ': moves.drop,
    Enter: moves.drop,
    Escape: moves.cancel,
    s: () => moves.take('start'),
    e: () => moves.take('end'),
  }
}

function press(state: DragState, moves: Moves, [event, movable, edge, from]: Parameters<DateDrag['press']>): void {
  const { collection, fields, placeAt, scroller } = state.input()
  const may = mayMove(collection, fields, movable.row)
  if (event.button !== 0 || !(edge === 'both' ? may.all : may[edge])) return
  const under = placeAt({ xPx: event.clientX, yPx: event.clientY })
  const grabbed = from === undefined ? under : { day: from, minute: null }
  if (!grabbed) return
  const { pointerId } = event
  whenDragged(event, () => {
    state.set({ ...movable, ...NOT_MOVED, edge, to: movable.dates, by: 'pointer', isOutside: true })
    followScrollingDrag(
      pointerId,
      { scroller: scroller() },
      {
        onMove: (at) => {
          const place = state.input().placeAt(at)
          if (place) moves.moveTo(Math.round(place.day - grabbed.day), minutesBetween(grabbed, place))
          else moves.leave()
        },
        onEnd: (isCanceled) => (isCanceled ? moves.cancel() : moves.drop()),
      },
    )
  })
}

const minutesBetween = (from: TimePlace, to: TimePlace): number =>
  from.minute === null || to.minute === null ? 0 : Math.round((to.minute - from.minute) / STEP_MINUTES) * STEP_MINUTES
