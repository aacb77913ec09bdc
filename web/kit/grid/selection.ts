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
