import { useCallback, useEffect, useRef, useState } from 'react'
import type { GridProps } from './grid-props.ts'
import { GRID_TEXTS_EN } from './grid-texts.ts'
import { selectedCount } from './selection/selection.ts'

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
