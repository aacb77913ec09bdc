/** The narrowest panel in which names and values stand side by side, and the least that is left to the list, in pixels. */
const LEAST_PX = { panel: 340, list: 280 } as const

/** How wide a panel is at first: less than half of the room. */
const FIRST_PX = 560
const FIRST_SHARE = 0.46

/** One press of an arrow key, and of one with Shift. */
export const WIDTH_STEP_PX = { small: 16, large: 64 } as const

/** The widths a panel may have in so much room. */
export function widthsIn(roomPx: number): { readonly leastPx: number; readonly mostPx: number } {
  return { leastPx: LEAST_PX.panel, mostPx: Math.max(LEAST_PX.panel, Math.round(roomPx - LEAST_PX.list)) }
}

/** How wide a panel is drawn: as it was chosen, as far as there is room. */
export function panelWidth(chosenPx: number | undefined, roomPx: number): number {
  const { leastPx, mostPx } = widthsIn(roomPx)
  const wanted = chosenPx ?? Math.min(FIRST_PX, roomPx * FIRST_SHARE)
  return Math.round(Math.min(Math.max(wanted, leastPx), mostPx))
}
