import { type RefObject, useEffect, useRef } from 'react'
import type { GridHandle } from '#web/ui/grid/editing/grid-editing.ts'
import { type GridSource, rowAt, spanOf } from '#web/ui/grid/grid-props.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'

/** The record that is open beside a list; `at` is its place as the address tells it. */
export type OpenRow = { readonly id: string; readonly at: number | undefined }

type OpenInList = {
  readonly source: GridSource<RecordRow>
  readonly grid: RefObject<GridHandle | null>
  readonly open: OpenRow | undefined
}

/**
 * The place of the open record in its list: as the rows in sight show it, else as the address tells it. Its row is
 * brought into sight, and has the keyboard again once the record is closed.
 */
export function useOpenRow({ source, grid, open }: OpenInList): number | undefined {
  const ordinal = open && (visibleOrdinal(source, open) ?? open.at)
  const id = open?.id
  const last = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (ordinal !== undefined) last.current = ordinal
  }, [ordinal])

  const isLoaded = ordinal !== undefined && rowAt(source, ordinal) !== undefined
  useEffect(() => {
    if (id !== undefined && ordinal !== undefined) grid.current?.show(ordinal)
    // Once more when its row is there: the list may have been another one before.
  }, [grid, id, ordinal, isLoaded])

  const wasOpen = useRef(false)
  useEffect(() => {
    const isClosed = wasOpen.current && id === undefined
    wasOpen.current = id !== undefined
    if (!isClosed || document.activeElement !== document.body) return
    if (last.current === undefined || !grid.current?.goTo(last.current)) grid.current?.focus()
  }, [grid, id])
  return ordinal
}

/** Only a page is looked through: in a list of a million rows the address tells the place. */
function visibleOrdinal(source: GridSource<RecordRow>, { id, at }: OpenRow): number | undefined {
  if (source.kind === 'window') return at !== undefined && rowAt(source, at)?.record.id === id ? at : undefined
  return source.rows.find(({ record }) => record.id === id)?.ordinal
}

type KeepRowInput = Omit<OpenInList, 'open'> & {
  /** How the list is shown. */
  readonly way: string
}

/**
 * Another way of showing the same list begins at its top; the row of the keyboard stays the same where it is there.
 * Gives what is to be called just before the way changes.
 */
export function useKeepRow({ source, grid, way }: KeepRowInput): () => void {
  const due = useRef<{ readonly ordinal: number | undefined; readonly way: string } | undefined>(undefined)
  useEffect(() => {
    const { ordinal, way: before } = due.current ?? { ordinal: undefined, way }
    if (ordinal === undefined || before === way) return
    const { first, end } = spanOf(source)
    const isOnTheWay = source.kind === 'page' && source.loadingRows !== undefined
    if (isOnTheWay) return
    due.current = undefined
    if (ordinal >= first && ordinal < end) grid.current?.show(ordinal)
  })
  return () => {
    // Both begin with the same rows; from a page further on one comes to the top.
    due.current = { ordinal: spanOf(source).first === 0 ? grid.current?.ordinal() : undefined, way }
  }
}
