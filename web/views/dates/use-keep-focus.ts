import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { spanOfDates } from '#domain/views/dates/date-span.ts'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import { type DatedFields, TIME_ZONE } from './dated-records.ts'
import type { DateDrag } from './use-date-drag.ts'

type KeepFocus = {
  readonly rootRef: RefObject<HTMLElement | null>
  readonly fields: DatedFields
  readonly moving: DateDrag['moving']
  /** Brings a day into sight. */
  readonly onReach: (day: number) => void
  /** Focused if the record is no longer in sight. */
  readonly fallback: () => HTMLElement | null | undefined
}

/** Follows a record that the keyboard moves: brings its day into sight and keeps the focus on it. */
export function useKeepFocus({ rootRef, fields, moving, onReach, fallback }: KeepFocus): void {
  const keyed = moving?.by === 'keys' ? moving : undefined
  const span = keyed && spanOfDates(fields.kind, keyed.to, TIME_ZONE)
  const day = keyed?.edge === 'end' ? span?.last : span?.first
  const reach = useLatest(onReach)
  useEffect(() => {
    if (day !== undefined) reach.current(day)
  }, [day, reach])

  const id = keyed?.row.record.id
  const last = useRef<string>(undefined)
  useLayoutEffect(() => {
    last.current = id ?? last.current
    if (last.current === undefined) return
    const { activeElement } = document
    if (activeElement === document.body) {
      const event = rootRef.current?.querySelector<HTMLElement>(`[data-event="${CSS.escape(last.current)}"]`)
      const next = event ?? fallback()
      next?.focus({ preventScroll: true })
    } else if (id === undefined && activeElement?.getAttribute('data-event') !== last.current) last.current = undefined
  })
}
