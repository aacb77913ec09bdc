import type { ViewKindRules } from './view-kind.ts'

/** A grid has no options: its columns are part of the layout, which all view types share. */
export type GridOptions = { readonly [option in never]: never }

export const grid: ViewKindRules<GridOptions> = {
  startFor: () => ({}),
  read: () => ({}),
  renameFields: (options) => options,
  problem: () => null,
}
