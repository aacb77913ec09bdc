import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import { endOf } from '#web/ui/grid/keyboard/keyboard.ts'
import type { CellEditing, EditedCell } from './use-cell-editor.ts'

export type EditorBoxProps<Row> = {
  readonly edited: EditedCell<Row>
  readonly editing: CellEditing<Row>
  readonly row: Row
  readonly topPx: number
  readonly startPx: number
  readonly widthPx: number
  readonly isFrozen: boolean
  readonly ariaRowIndex: number
}

/** Minimum space below the cell; with less, the editor opens upward if there is enough space above. */
const MIN_ROOM_PX = 240

/** Space in px for the focus ring around an editor. */
const EDGE_PX = 4

/**
 * A cell's editor, positioned over the cell instead of inside it, because cell elements are reused for other rows and
 * clip their content.
 */
export function EditorBox<Row>(props: EditorBoxProps<Row>) {
  const { edited, editing, isFrozen } = props
  const boxRef = useRef<HTMLDivElement>(null)
  const isPressedInside = useCommitOnOutsidePress(editing, boxRef)
  useLayoutEffect(() => {
    const box = boxRef.current
    const frame = box?.closest<HTMLElement>('.grid-scroller')
    return box && frame ? keepInside(box, frame) : undefined
  }, [])

  return (
    <div role="presentation" className="grid-editor-pane" data-frozen={isFrozen || undefined}>
      <div role="row" aria-rowindex={props.ariaRowIndex}>
        <div
          ref={boxRef}
          role="gridcell"
          aria-colindex={edited.at.column + 1}
          className="grid-editor"
          style={{ top: props.topPx, insetInlineStart: props.startPx, minWidth: props.widthPx }}
          // React bubbles clicks in the editor's popups to this element.
          onMouseDownCapture={isPressedInside}
          onKeyDown={(event) => onKeyDown(editing, event)}
        >
          {edited.column.renderEditor?.(props.row, edited.slot)}
        </div>
      </div>
    </div>
  )
}

/**
 * Handles keys that close the editor, unless the editor has prevented the default or they belong to an input method.
 */
function onKeyDown<Row>(editing: CellEditing<Row>, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.nativeEvent.isComposing) return
  const end = endOf(event)
  if (!end) return
  event.preventDefault()
  if (end !== 'cancel') return void editing.commit(end)
  // Prevents elements around the grid from handling the key as well.
  event.stopPropagation()
  editing.cancel()
}

/** Clicking elsewhere saves; a touch that only scrolls doesn't. */
function useCommitOnOutsidePress<Row>(editing: CellEditing<Row>, boxRef: RefObject<HTMLElement | null>): () => void {
  const isInside = useRef(false)
  const latest = useLatest(editing)
  useEffect(() => {
    const onPress = (event: MouseEvent) => {
      const wasInside = isInside.current
      isInside.current = false
      if (wasInside || isOnScrollBar(event) || latest.current.commit(undefined)) return
      // If a value can't be saved, the editor stays open and focused.
      requestAnimationFrame(() => boxRef.current?.querySelector<HTMLElement>('input, textarea, [tabindex]')?.focus())
    }
    document.addEventListener('mousedown', onPress)
    return () => document.removeEventListener('mousedown', onPress)
  }, [boxRef, latest])
  return () => {
    isInside.current = true
  }
}

function isOnScrollBar({ target, offsetX, offsetY }: MouseEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  return offsetX < 0 || offsetX >= target.clientWidth || offsetY >= target.clientHeight
    ? target.classList.contains('grid-scroller')
    : false
}

/**
 * Keeps an editor inside the grid, enlarging the grid if necessary, even when the editor loads later or shows an error.
 */
function keepInside(box: HTMLElement, frame: HTMLElement): () => void {
  const { top } = box.getBoundingClientRect()
  const room = frame.getBoundingClientRect()
  const [above, below] = [top - room.top, room.bottom - top]
  const isUp = below < MIN_ROOM_PX && above >= MIN_ROOM_PX
  box.dataset['grows'] = isUp ? 'up' : 'down'
  let shiftPx = 0
  const fit = () => {
    const { left, right, bottom } = box.getBoundingClientRect()
    const bounds = frame.getBoundingClientRect()
    if (!isUp && bottom > bounds.bottom) frame.style.minHeight = `${bottom + frame.scrollTop - bounds.top + EDGE_PX}px`
    const startPx = bounds.left + frame.clientLeft
    const beyondEndPx = right - shiftPx - (startPx + frame.clientWidth)
    const beforeStartPx = startPx - (left - shiftPx)
    shiftPx = beforeStartPx > 0 ? beforeStartPx : Math.max(-Math.max(beyondEndPx, 0), beforeStartPx)
    box.style.setProperty('--grid-editor-shift', `${shiftPx}px`)
  }
  const observer = new ResizeObserver(fit)
  observer.observe(box)
  fit()
  return () => {
    observer.disconnect()
    frame.style.minHeight = ''
  }
}
