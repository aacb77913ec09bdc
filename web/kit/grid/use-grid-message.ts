import { useEffect, useRef, useState } from 'react'
import type { GridProps } from './grid-props.ts'
import { GRID_TEXTS_EN } from './grid-texts.ts'
import { selectedCount } from './selection.ts'

/** What to say of the last change: which rows are shown, how they are sorted, how many are selected. */
export function useGridMessage<Row>(props: GridProps<Row>): string {
  const [message, setMessage] = useState('')
  useOnChange(shownText(props), setMessage)
  useOnChange(sortText(props), setMessage)
  useOnChange(selectionText(props), setMessage)
  return message
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
