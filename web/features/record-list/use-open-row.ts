import { type RefObject, useEffect, useRef } from 'react'
import type { GridHandle } from '#web/ui/grid/editing/grid-editing.ts'
import { type GridSource, rowAt, spanOf } from '#web/ui/grid/grid-props.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'

/** `at` is the position from the URL. */
export type OpenRow = { readonly id: string; readonly at: number | undefined }

type OpenInList = {
  readonly source: GridSource<RecordRow>
  readonly grid: RefObject<GridHandle | null>
  readonly open: OpenRow | undefined
}

/**
 * Returns the open record's position in the list. Scrolls to its row, and focuses the row when the record is closed.
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
    // Runs again when the row is loaded, because the list may have changed.
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

/**
 * The record's position on the current page; if the list isn't paginated, the position from the URL, provided that it
 * is still correct.
 */
function visibleOrdinal(source: GridSource<RecordRow>, { id, at }: OpenRow): number | undefined {
  if (source.kind === 'window') return at !== undefined && rowAt(source, at)?.record.id === id ? at : undefined
  return source.rows.find(({ record }) => record.id === id)?.ordinal
}

type KeepRowInput = Omit<OpenInList, 'open'> & {
  readonly way: string
}

/**
 * Keeps the focused row visible when the layout changes. The returned function must be called immediately before the
 * change.
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
    // Both layouts start with the same rows only on the first page; on other pages, the list starts at the top.
    due.current = { ordinal: spanOf(source).first === 0 ? grid.current?.ordinal() : undefined, way }
  }
}
