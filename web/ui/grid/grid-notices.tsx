import { GRID_TEXTS_EN, type GridProps } from './grid-props.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { selectedCount } from './selection/selection.ts'

export function GridNotices<Row>(props: GridProps<Row> & { readonly hasRows: boolean }) {
  const { source, failure, empty, hasRows, texts = GRID_TEXTS_EN } = props
  const isLoading = source.kind === 'page' && source.loadingRows !== undefined
  const retry = source.kind === 'window' ? source.failure?.retry : undefined
  return (
    <>
      {isLoading && <div className="grid-progress" aria-hidden />}
      {(failure !== undefined || !hasRows) && <div className="grid-message">{failure ?? empty}</div>}
      {retry && (
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

/** In ms: messages within this time are merged, so that the screen reader isn't interrupted while the user types. */
const ANNOUNCE_DELAY_MS = 500

/** Announces grid changes to screen readers: only the last message, after a pause. */
export function Announcer({ message }: { readonly message: string }) {
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(message), ANNOUNCE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <div role="status" aria-live="polite" className="grid-hidden-text">
      {announced}
    </div>
  )
}

/** Announces the visible rows, the sort order and the number of selected rows and cells. */
export function useGridMessage<Row>(
  props: GridProps<Row>,
  rangeText: string | undefined,
): readonly [message: string, announce: (text: string) => void] {
  const [message, setMessage] = useState('')
  // Screen readers announce a repeated message only if its text changes.
  const announce = useCallback((text: string) => setMessage((before) => (before === text ? `${text}\u00A0` : text)), [])
  const announceIfAny = useCallback((text: string) => (text === '' ? undefined : announce(text)), [announce])
  useOnChange(shownText(props), announce)
  useOnChange(sortText(props), announce)
  useOnChange(selectionText(props), announce)
  useOnChange(rangeText ?? '', announceIfAny)
  return [message, announce]
}

function useOnChange(text: string | undefined, announce: (text: string) => void): void {
  const before = useRef(text)
  useEffect(() => {
    if (text === undefined || text === before.current) return
    before.current = text
    announce(text)
  }, [text, announce])
}

/** Undefined while rows are loading, because the visible rows are outdated. */
function shownText<Row>({ source, texts = GRID_TEXTS_EN }: GridProps<Row>): string | undefined {
  if (source.kind === 'window') return texts.rows(source.total)
  if (source.loadingRows !== undefined) return undefined
  const count = source.rows.length
  return count === 0 ? texts.rows(0) : texts.rowsOf(source.first + 1, source.first + count, source.total)
}

function sortText<Row>({ sort, columns, texts = GRID_TEXTS_EN }: GridProps<Row>): string {
  if (sort.length === 0) return texts.unsorted
  return sort
    .map(({ columnId, direction }) => {
      const header = columns.find((column) => column.id === columnId)?.header ?? columnId
      return texts.sortedBy(header, direction)
    })
    .join(', ')
}

function selectionText<Row>({ selection, source, texts = GRID_TEXTS_EN }: GridProps<Row>): string | undefined {
  if (!selection) return undefined
  const total = source.kind === 'window' ? source.total : source.total.is === 'exact' ? source.total.count : undefined
  return texts.selected(selectedCount(selection, total))
}
