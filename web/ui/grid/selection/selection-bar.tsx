import { Button } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import '../bars.css'
import { GRID_TEXTS_EN, type GridTexts, type GridTotal } from '#web/ui/grid/grid-props.ts'
import { ALL_SELECTED, type GridSelection, isNothingSelected, NOTHING_SELECTED, selectedCount } from './selection.ts'

export type SelectionBarProps = {
  readonly selection: GridSelection
  readonly total: GridTotal
  readonly onSelection: (selection: GridSelection) => void
  /** Number of selected rows outside the current list or page. */
  readonly outOfView?: number
  readonly onShowSelected?: (() => void) | undefined
  readonly children?: ReactNode
  readonly texts?: GridTexts
}

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
            // This button disappears, so focus moves to the adjacent button.
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
          // The whole bar disappears, so focus moves to the grid.
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
