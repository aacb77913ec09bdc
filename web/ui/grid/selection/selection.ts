/**
 * Which rows are selected. "All except" means every row that matches the current filter and search, loaded or not, so
 * that a million rows are selected without listing them.
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

/** The selection after the filter or search has changed: individually selected rows stay selected, "all" doesn't. */
export const selectionInOtherList = (selection: GridSelection): GridSelection =>
  selection.mode === 'these' ? selection : NOTHING_SELECTED

/** The anchor of a range: the last clicked row and its position at that time. */
export type SelectionAnchor = { readonly id: string; readonly ordinal: number }

/** The rows from the anchor to the target, inclusive, in display order. Without an anchor, only the target. */
export function rangeOf(shown: readonly string[], anchor: string | undefined, target: string): readonly string[] {
  const [from, to] = [anchor === undefined ? -1 : shown.indexOf(anchor), shown.indexOf(target)]
  return from < 0 || to < 0 ? [target] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
}

/** Maximum distance from its last position at which the anchor is searched for. */
const MAX_ANCHOR_DISTANCE = 500

/**
 * The position of the anchor among loaded rows, at or near its last one. Undefined if another row has taken its
 * position; its old position if that isn't loaded, so that it must be read first.
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
