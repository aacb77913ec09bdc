import type { DragEvent } from 'react'
import type { GridProps } from '#web/ui/grid/grid-props.ts'
import { rowAt } from '#web/ui/grid/grid-source.ts'
import { carriesFiles } from '#web/shared/uploads/selected-files.ts'
import type { CardView } from './use-card-view.ts'
import type { RecordRow } from '#web/shared/cell-editing/record-row.ts'

/** Listens for files over cards, for all of them at once, as a grid does for its rows. */
export function cardDropTarget({ onFiles, rowTakesFiles, source }: GridProps<RecordRow>, view: CardView) {
  if (!onFiles || !rowTakesFiles) return {}
  const takerAt = (event: DragEvent): { card: HTMLElement; row: RecordRow } | undefined => {
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line]') : null
    const found = card && view.lines.lineAt(Number(card.dataset['line']))
    const row = found?.kind === 'row' ? rowAt(source, found.ordinal) : undefined
    return card && row && carriesFiles(event.dataTransfer) && rowTakesFiles(row) ? { card, row } : undefined
  }
  const show = (list: Element, card?: HTMLElement) => {
    for (const shown of list.querySelectorAll<HTMLElement>('[data-drop]'))
      if (shown !== card) delete shown.dataset['drop']
    if (card) card.dataset['drop'] = ''
  }
  return {
    onDragOver: (event: DragEvent) => {
      const taker = takerAt(event)
      show(event.currentTarget, taker?.card)
      if (!taker) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDragLeave: (event: DragEvent) => show(event.currentTarget),
    onDrop: (event: DragEvent) => {
      const taker = takerAt(event)
      show(event.currentTarget)
      if (!taker) return
      event.preventDefault()
      onFiles({ row: taker.row, columnId: undefined, data: event.dataTransfer, xPx: event.clientX, yPx: event.clientY })
    },
  }
}
