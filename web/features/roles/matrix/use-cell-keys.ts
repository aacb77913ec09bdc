import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { keyInTextDirection } from '#web/ui/shortcuts/text-direction.ts'

/** What a key leads to from a cell. */
const STEPS: { readonly [key: string]: (cell: HTMLTableCellElement) => Element | null | undefined } = {
  ArrowRight: (cell) => cell.nextElementSibling,
  ArrowLeft: (cell) => cell.previousElementSibling,
  ArrowDown: (cell) => neighborIn(cell, 'nextElementSibling'),
  ArrowUp: (cell) => neighborIn(cell, 'previousElementSibling'),
  Home: (cell) => cell.parentElement?.querySelector('td'),
  End: (cell) => cell.parentElement?.lastElementChild,
}

/** The cell above or below, past lines in which nothing can be chosen. */
function neighborIn(
  cell: HTMLTableCellElement,
  way: 'nextElementSibling' | 'previousElementSibling',
): Element | undefined {
  let row = cell.parentElement?.[way]
  while (row && !row.querySelector('td button')) row = row[way]
  return row?.children[cell.cellIndex]
}

/** Makes the cells of a table one stop of the Tab key; the arrow keys lead from one to the next. */
export function useCellKeys() {
  const [active, setActive] = useState<string>()
  return {
    /** The cell where one was last; undefined: nowhere yet. */
    active,
    tableProps: {
      onKeyDown: (event: KeyboardEvent<HTMLTableElement>) => {
        const cell = event.target instanceof Element ? event.target.closest('td') : null
        const button = cell && STEPS[keyInTextDirection(event.key)]?.(cell)?.querySelector('button')
        if (!button) return
        event.preventDefault()
        button.focus()
      },
      onFocus: ({ target }: FocusEvent<HTMLTableElement>) => {
        const cell = target.getAttribute('data-cell')
        if (cell !== null) setActive(cell)
      },
    },
  }
}
