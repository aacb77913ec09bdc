import { Button } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import '../bars.css'
import { GRID_TEXTS_EN, type GridTexts, type GridTotal } from '#web/ui/grid/grid-props.ts'

import { ALL_SELECTED, type GridSelection, isNothingSelected, NOTHING_SELECTED, selectedCount } from './selection.ts'

/** What the selection bar shows and does. */
export type SelectionBarProps = {
  readonly selection: GridSelection
  readonly total: GridTotal
  readonly onSelection: (selection: GridSelection) => void
  /** Selected rows that the list does not show, whatever its page. */
  readonly outOfView?: number
  /** Shows the selected rows alone. */
  readonly onShowSelected?: (() => void) | undefined
  /** What can be done with the selected rows. */
  readonly children?: ReactNode
  readonly texts?: GridTexts
}

/** Says how many rows are selected, offers all that match, and holds what can be done with them. */
export function SelectionBar({
  selection,
  total,
  onSelection,
  outOfView = 0,
  onShowSelected,
  children,
  texts = GRID_TEXTS_EN,
}: SelectionBarProps) {
  const clearRef = useRef<HTMLButtonElement>(null)
  const count = total.is === 'exact' ? total.count : undefined
  const selected = selectedCount(selection, count)
  if (isNothingSelected(selection, count)) return null

  const isEverything = selection.mode === 'allBut' ? selection.ids.size === 0 : selected === count && outOfView === 0
  return (
    <div role="group" aria-label={texts.selected(selected)} className="grid-selection-bar">
      <span className="grid-selection-count">{texts.selected(selected)}</span>
      {outOfView > 0 && <span>{texts.outOfView(outOfView)}</span>}
      {outOfView > 0 && onShowSelected && (
        <Button size="xs" variant="subtle" onClick={onShowSelected}>
          {texts.showSelected}
        </Button>
      )}
      {!isEverything && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => {
            // This button goes; the keyboard stays beside it.
            clearRef.current?.focus()
            onSelection(ALL_SELECTED)
          }}
        >
          {texts.selectAllMatching(count)}
        </Button>
      )}
      <Button
        ref={clearRef}
        size="xs"
        variant="subtle"
        onClick={() => {
          // The whole bar goes; the keyboard is back in the grid.
          document.querySelector<HTMLElement>('.grid-scroller [tabindex="0"]')?.focus({ preventScroll: true })
          onSelection(NOTHING_SELECTED)
        }}
      >
        {texts.clearSelection}
      </Button>
      <span className="grid-selection-actions">{children}</span>
    </div>
  )
}
