import { type CSSProperties, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
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
  /** Its column stays at the start when the others scroll. */
  readonly isFrozen: boolean
  readonly ariaRowIndex: number
}

/** An editor with less room than this below its cell, and more above, grows upwards. */
const MIN_ROOM_PX = 240
/** Its greatest width. With less room after the start of its cell, and more before the end, it grows backwards. */
const MAX_WIDTH_PX = 560

/** The editor of a cell, positioned over it: cell elements are reused for other rows and clip their content. */
export function EditorBox<Row>(props: EditorBoxProps<Row>) {
  const { edited, editing, isFrozen } = props
  const boxRef = useRef<HTMLDivElement>(null)
  const isPressedInside = useCommitOnOutsidePress(editing, boxRef)
  useLayoutEffect(() => {
    const box = boxRef.current
    if (box) box.dataset['grows'] = growthOf(box)
  }, [])

  return (
    <div role="presentation" className="grid-editor-pane" data-frozen={isFrozen || undefined}>
      <div role="row" aria-rowindex={props.ariaRowIndex}>
        <div
          ref={boxRef}
          role="gridcell"
          aria-colindex={edited.at.column + 1}
          className="grid-editor"
          style={boxStyle(props)}
          // React bubbles clicks in popups of the editor up to here.
          onMouseDownCapture={isPressedInside}
          onKeyDown={(event) => onKeyDown(editing, event)}
        >
          {edited.column.renderEditor?.(props.row, edited.slot)}
        </div>
      </div>
    </div>
  )
}

// React's style type lacks custom properties, though React sets them.
const boxStyle = ({ topPx, startPx, widthPx }: Pick<EditorBoxProps<unknown>, 'topPx' | 'startPx' | 'widthPx'>) =>
  ({ top: topPx, insetInlineStart: startPx, minWidth: widthPx, '--cell-width': `${widthPx}px` }) as CSSProperties

/** Keys that the editor does not handle end it; handled ones are default-prevented or belong to an input method. */
function onKeyDown<Row>(editing: CellEditing<Row>, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.nativeEvent.isComposing) return
  const end = endOf(event)
  if (!end) return
  event.preventDefault()
  if (end !== 'cancel') return void editing.commit(end)
  // Elements around the grid would handle the key too.
  event.stopPropagation()
  editing.cancel()
}

/** A click elsewhere saves; a touch that only scrolls does not. */
function useCommitOnOutsidePress<Row>(editing: CellEditing<Row>, boxRef: RefObject<HTMLElement | null>): () => void {
  const isInside = useRef(false)
  const latest = useLatest(editing)
  useEffect(() => {
    const onPress = (event: MouseEvent) => {
      const wasInside = isInside.current
      isInside.current = false
      if (wasInside || isOnScrollBar(event) || latest.current.commit(undefined)) return
      // A value that cannot be saved keeps the editor open and focused.
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

/** The directions with more room, if the usual ones have little. */
function growthOf(box: HTMLElement): string {
  const frame = box.closest('.grid-scroller')?.getBoundingClientRect()
  if (!frame) return ''
  const place = box.getBoundingClientRect()
  const [above, below] = [place.top - frame.top, frame.bottom - place.top]
  const start = document.dir === 'rtl' ? frame.right - place.right : place.left - frame.left
  const [before, after] = [start + Number.parseFloat(box.style.minWidth), frame.width - start]
  const directions = [below < MIN_ROOM_PX && above > below && 'up', after < MAX_WIDTH_PX && before > after && 'back']
  return directions.filter(Boolean).join(' ')
}
