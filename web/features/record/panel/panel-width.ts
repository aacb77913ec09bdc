/** The narrowest panel in which names and values stand side by side, and the least that is left to the list, in pixels. */
const MIN_WIDTH_PX = { panel: 340, list: 280 } as const

/** How wide a panel is at first: less than half of the room. */
const DEFAULT_WIDTH_PX = 560
const FIRST_SHARE = 0.46

/** One press of an arrow key, and of one with Shift. */
export const WIDTH_STEP_PX = { small: 16, large: 64 } as const

/** The widths a panel may have in so much room. */
export function allowedWidths(roomPx: number): { readonly leastPx: number; readonly mostPx: number } {
  return { leastPx: MIN_WIDTH_PX.panel, mostPx: Math.max(MIN_WIDTH_PX.panel, Math.round(roomPx - MIN_WIDTH_PX.list)) }
}

/** How wide a panel is drawn: as it was chosen, as far as there is room. */
export function panelWidth(chosenPx: number | undefined, roomPx: number): number {
  const { leastPx, mostPx } = allowedWidths(roomPx)
  const wanted = chosenPx ?? Math.min(DEFAULT_WIDTH_PX, roomPx * FIRST_SHARE)
  return Math.round(Math.min(Math.max(wanted, leastPx), mostPx))
}
