import { countOf } from '#web/ui/grid/selection/cell-range.ts'
import type { GridLine, GridLines } from '#web/ui/grid/rows/grid-lines.ts'
import type { Span } from '#web/ui/grid/rows/row-window.ts'

/** The height of the head of a group, and the unit in which cards are measured, in pixels: a thumb's target. */
export const UNIT_PX = 44

/** As many fields as a card shows besides the title. */
export const MAX_FIELDS = 4

/** How many units a card is tall that shows so many fields: one for its title, one for each pair of them. */
export const cardHeightInUnits = (fields: number): number => 1 + Math.ceil(Math.min(fields, MAX_FIELDS) / 2)

/** A line of a list of cards, and where it begins, in units. */
export type CardPosition = { readonly line: number; readonly unit: number; readonly found: GridLine }

/** Lines of two heights, found by arithmetic: heads of groups are one unit tall, cards several. */
export type CardPositions = {
  readonly unitCount: number
  readonly unitOf: (line: number) => number
  /** Which lines reach into a run of units. */
  readonly linesIn: (units: Span) => Span
}

/** The lines of a list, as tall as cards are. */
export function cardPositions(lines: GridLines, cardUnits: number): CardPositions {
  const rowsBefore = (line: number) => (lines.isGrouped ? countOf(lines.rowsIn({ first: 0, end: line })) : line)
  const unitOf = (line: number) => line + rowsBefore(line) * (cardUnits - 1)
  /** The line in which a unit lies. */
  const lineOf = (unit: number): number => {
    if (!lines.isGrouped) return Math.floor(unit / cardUnits)
    let low = 0
    let high = lines.lineCount
    while (low < high) {
      const middle = (low + high) >>> 1
      if (unitOf(middle + 1) <= unit) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    unitCount: unitOf(lines.lineCount),
    unitOf,
    linesIn: ({ first, end }) => ({
      first: Math.min(lineOf(first), lines.lineCount),
      end: end <= first ? Math.min(lineOf(first), lines.lineCount) : Math.min(lineOf(end - 1) + 1, lines.lineCount),
    }),
  }
}
