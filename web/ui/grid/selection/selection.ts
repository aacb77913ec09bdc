/**
 * The selected rows. `allBut` means all rows that match the current filter and search, loaded or not, except the given
 * ids, so that a million rows can be selected without listing them.
 */
export type GridSelection = { readonly mode: 'these' | 'allBut'; readonly ids: ReadonlySet<string> }

export const NOTHING_SELECTED: GridSelection = { mode: 'these', ids: new Set() }

export const ALL_SELECTED: GridSelection = { mode: 'allBut', ids: new Set() }

export function isSelected(selection: GridSelection, id: string): boolean {
  return selection.ids.has(id) === (selection.mode === 'these')
}

export function withRows(selection: GridSelection, ids: readonly string[], selected: boolean): GridSelection {
  const next = new Set(selection.ids)
  const isNamed = selected === (selection.mode === 'these')
  for (const id of ids) {
    if (isNamed) next.add(id)
    else next.delete(id)
  }
  return { mode: selection.mode, ids: next }
}

export function selectedCount(selection: GridSelection, total: number | undefined): number | undefined {
  if (selection.mode === 'these') return selection.ids.size
  return total === undefined ? undefined : Math.max(0, total - selection.ids.size)
}

export function isNothingSelected(selection: GridSelection, total: number | undefined): boolean {
  return selectedCount(selection, total) === 0
}

export function stateOfRows(selection: GridSelection, ids: readonly string[]): 'none' | 'some' | 'all' {
  const selected = ids.filter((id) => isSelected(selection, id)).length
  if (selected === 0) return 'none'
  return selected === ids.length ? 'all' : 'some'
}

/** After the filter or search changes, individually selected rows stay selected, but “all” is cleared. */
export const selectionInOtherList = (selection: GridSelection): GridSelection =>
  selection.mode === 'these' ? selection : NOTHING_SELECTED

/** The start of a range selection: the last clicked row and its position at that time. */
export type SelectionAnchor = { readonly id: string; readonly ordinal: number }

/** The rows from the anchor to the target, inclusive, in display order. Without an anchor, only the target row. */
export function rangeOf(shown: readonly string[], anchor: string | undefined, target: string): readonly string[] {
  const [from, to] = [anchor === undefined ? -1 : shown.indexOf(anchor), shown.indexOf(target)]
  return from < 0 || to < 0 ? [target] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
}

/** Maximum distance from its last position at which the anchor is searched for. */
const MAX_ANCHOR_DISTANCE = 500

/**
 * The anchor's position among the loaded rows, at or near its last position. Undefined if another row has taken its
 * place; the last position if the row there isn't loaded and must be read first.
 */
export function placeOfAnchor(
  { id, ordinal }: SelectionAnchor,
  idAt: (ordinal: number) => string | undefined,
): number | undefined {
  for (let distance = 0; distance <= MAX_ANCHOR_DISTANCE; distance += 1) {
    if (idAt(ordinal - distance) === id) return ordinal - distance
    if (idAt(ordinal + distance) === id) return ordinal + distance
  }
  return idAt(ordinal) === undefined ? ordinal : undefined
}
