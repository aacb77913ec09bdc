import { type Ref, useImperativeHandle } from 'react'
import type { GridHandle } from '#web/ui/grid/editing/grid-editing.ts'
import type { CardView } from './use-card-view.ts'

/** Reaches into a list of cards as into a grid; nothing is edited in it. */
export function useCardListHandle(handleRef: Ref<GridHandle> | undefined, view: CardView): void {
  useImperativeHandle(handleRef, () => {
    const go = (ordinal: number, then: (line: number) => void): boolean => {
      const line = view.lines.lineOfRow(ordinal)
      if (line === undefined) return false
      view.reveal(line)
      then(line)
      return true
    }
    return {
      goTo: (ordinal) => go(ordinal, view.send),
      show: (ordinal) => go(ordinal, view.arrive),
      edit: () => false,
      ordinal: () => {
        const found = view.lines.lineAt(view.active)
        return found?.kind === 'row' ? found.ordinal : undefined
      },
      focus: () => view.send(view.active),
    }
  })
}
