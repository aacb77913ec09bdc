/**
 * Which rows are selected. "All but these" means every row that matches the filter and search of the moment, loaded or
 * not, so that a million rows are selected without naming one of them.
 */
export type GridSelection = { readonly mode: 'these' | 'allBut'; readonly ids: ReadonlySet<string> }

/** Nothing is selected. */
export const NOTHING_SELECTED: GridSelection = { mode: 'these', ids: new Set() }

/** Every matching row is selected. */
export const ALL_SELECTED: GridSelection = { mode: 'allBut', ids: new Set() }

/** Whether a row is selected. */
export function isSelected(selection: GridSelection, id: string): boolean {
  return selection.ids.has(id) === (selection.mode === 'these')
}

/** The selection with some rows put in or taken out. */
export function withRows(selection: GridSelection, ids: readonly string[], selected: boolean): GridSelection {
  const next = new Set(selection.ids)
  const isNamed = selected === (selection.mode === 'these')
  for (const id of ids) {
    if (isNamed) next.add(id)
    else next.delete(id)
  }
  return { mode: selection.mode, ids: next }
}

/** How many rows are selected; undefined while the number of matching rows is not known. */
export function selectedCount(selection: GridSelection, total: number | undefined): number | undefined {
  if (selection.mode === 'these') return selection.ids.size
  return total === undefined ? undefined : Math.max(0, total - selection.ids.size)
}

/** Whether nothing at all is selected. */
export function isNothingSelected(selection: GridSelection, total: number | undefined): boolean {
  return selectedCount(selection, total) === 0
}

/** What the checkbox above some rows shows. */
export function stateOfRows(selection: GridSelection, ids: readonly string[]): 'none' | 'some' | 'all' {
  const selected = ids.filter((id) => isSelected(selection, id)).length
  if (selected === 0) return 'none'
  return selected === ids.length ? 'all' : 'some'
}

/** What stays selected where another filter or search makes another list: rows picked one by one. "All" meant the old list. */
export const selectionInOtherList = (selection: GridSelection): GridSelection =>
  selection.mode === 'these' ? selection : NOTHING_SELECTED

/** The row a range begins at: the last one that was clicked, with its place in the list then. */
export type SelectionAnchor = { readonly id: string; readonly ordinal: number }

/**
 * The rows from the anchor to the target, both included, in the order in which they are shown. Where the anchor is not
 * among them, the target alone.
 */
export function rangeOf(shown: readonly string[], anchor: string | undefined, target: string): readonly string[] {
  const [from, to] = [anchor === undefined ? -1 : shown.indexOf(anchor), shown.indexOf(target)]
  return from < 0 || to < 0 ? [target] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
}

/** How far from its last place an anchor is looked for. */
const REACH = 500

/**
 * The place of the anchor among rows that are loaded here and there: where it was, or near that after a change of the
 * list. Undefined where another row has taken its place; its old place where that is not loaded, so that it must be
 * read before it is known.
 */
export function placeOfAnchor(
  { id, ordinal }: SelectionAnchor,
  idAt: (ordinal: number) => string | undefined,
): number | undefined {
  for (let far = 0; far <= REACH; far += 1) {
    if (idAt(ordinal - far) === id) return ordinal - far
    if (idAt(ordinal + far) === id) return ordinal + far
  }
  return idAt(ordinal) === undefined ? ordinal : undefined
}
