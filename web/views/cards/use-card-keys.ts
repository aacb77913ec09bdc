import type { KeyboardEvent } from 'react'
import type { GridProps } from '#web/ui/grid/grid-props.ts'
import type { GridActions } from '#web/ui/grid/use-grid-actions.ts'
import type { RecordRow } from '#web/shared/cell-editing/record-row.ts'
import type { CardView } from './use-card-view.ts'

type Keys = { readonly grid: GridProps<RecordRow>; readonly view: CardView; readonly actions: GridActions }

/** Where a key leads from a line. */
const STEPS: { readonly [key: string]: (from: number, view: CardView) => number } = {
  ArrowDown: (from) => from + 1,
  ArrowUp: (from) => from - 1,
  PageDown: (from, { linesPerPage }) => from + linesPerPage,
  PageUp: (from, { linesPerPage }) => from - linesPerPage,
  Home: () => 0,
  End: (_, { lines }) => lines.lineCount - 1,
}

/** The keys of a grid, as far as cards have a use for them: walking, selecting, opening, undoing. */
export function useCardKeys({ grid, view, actions }: Keys): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const line = event.target instanceof Element && event.target.closest<HTMLElement>('[data-line]')?.dataset['line']
    if (line === undefined || line === false || event.defaultPrevented || event.altKey) return
    if (run(event, Number(line), { grid, view, actions })) event.preventDefault()
  }
}

function run(event: KeyboardEvent<HTMLElement>, line: number, { grid, view, actions }: Keys): boolean {
  const { key } = event
  const step = STEPS[key]
  if (step) return walk(view, step(line, view))
  if (event.ctrlKey || event.metaKey) return runShortcut(event, line, { grid, view, actions })
  const found = view.lines.lineAt(line)
  if (found?.kind === 'group') return collapseOrExpand(grid, found.groupIndex, key)
  const isOnStop = event.target instanceof Element && event.target.matches('[data-stop]')
  if (key !== ' ' || !isOnStop) return false
  actions.selectRow(line, event.shiftKey)
  return true
}

function walk(view: CardView, wanted: number): true {
  const line = Math.max(0, Math.min(wanted, view.lines.lineCount - 1))
  view.reveal(line)
  view.send(line)
  return true
}

function collapseOrExpand({ grouping }: GridProps<RecordRow>, groupIndex: number, key: string): boolean {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return false
  const isExpanding = (key === 'ArrowRight') !== (document.dir === 'rtl')
  grouping?.fold(groupIndex, isExpanding ? 'expanded' : 'collapsed', false)
  return true
}

function runShortcut({ key, shiftKey }: KeyboardEvent, line: number, { grid, actions }: Keys): boolean {
  switch (key.toLowerCase()) {
    case 'enter':
      actions.open(line)
      return true
    case 'a':
      actions.selectAll()
      return true
    case 'z':
      ;(shiftKey ? grid.onRedo : grid.onUndo)?.()
      return true
    case 'y':
      grid.onRedo?.()
      return true
    default:
      return false
  }
}
