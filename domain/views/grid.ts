import type { ViewKindRules } from './view-kind.ts'

/** A grid needs no options: its columns are the layout, which every kind of view shares. */
export type GridOptions = { readonly [option in never]: never }

export const grid: ViewKindRules<GridOptions> = {
  defaults: {},
  read: () => ({}),
  renameFields: (options) => options,
  problem: () => null,
}
