import { GRID_TEXTS_EN, type GridProps } from './grid-props.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { selectedCount } from './selection/selection.ts'

/** What the grid says in place of rows, or about rows that are missing. */
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

/** What happens within this time is said once, so that a screen reader is not talked over while somebody types. */
const GATHER_MS = 500

/** Says what changed in the grid to those who do not see it: the last message, once things have come to rest. */
export function Announcer({ message }: { readonly message: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid(message), GATHER_MS)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <div role="status" aria-live="polite" className="grid-hidden-text">
      {said}
    </div>
  )
}

/**
 * What to say of the last change: which rows are shown, how they are sorted, how many are selected and which cells are
 * marked; and the way to say anything else.
 */
export function useGridMessage<Row>(
  props: GridProps<Row>,
  markedText: string | undefined,
): readonly [message: string, say: (text: string) => void] {
  const [message, setMessage] = useState('')
  // The same words a second time are said again only if they differ from those that stand there.
  const say = useCallback((text: string) => setMessage((before) => (before === text ? `${text}\u00A0` : text)), [])
  const sayIfAny = useCallback((text: string) => (text === '' ? undefined : say(text)), [say])
  useOnChange(shownText(props), say)
  useOnChange(sortText(props), say)
  useOnChange(selectionText(props), say)
  useOnChange(markedText ?? '', sayIfAny)
  return [message, say]
}

function useOnChange(text: string | undefined, say: (text: string) => void): void {
  const before = useRef(text)
  useEffect(() => {
    if (text === undefined || text === before.current) return
    before.current = text
    say(text)
  }, [text, say])
}

/** Undefined while rows are on their way: what is shown then is not yet the answer. */
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
