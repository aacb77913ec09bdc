import type { Filter } from '../query/filter/filter.ts'
import type { OptionColor } from '../fields/field.ts'
import type { CollectionId, UserId } from '../shared/ids.ts'
import type { PageSize } from '../specification.ts'
import type { ViewDisplay } from './view-kinds.ts'

export type ViewId = string

/** Maximum number of own views per user and collection; all of them are loaded together. */
export const MAX_OWN_VIEWS = 100

/** Maximum number of shared views per collection. */
export const MAX_SHARED_VIEWS = 200

/** In characters; the name is shown on a tab. */
export const MAX_VIEW_NAME = 80

/** Limited because each rule is evaluated for every displayed row. */
export const MAX_COLOR_RULES = 20

/** Maximum JSON length in characters; all views are loaded together. */
export const MAX_VIEW_LENGTH = 100_000

export const VIEW_DENSITIES = ['compact', 'normal', 'tall'] as const

/** Path of field IDs to sort or group by. */
export type ViewKey = { readonly path: string; readonly isDescending: boolean }

/** Fields and options are stored by ID. */
export type ViewQuery = {
  /** null matches every record. */
  readonly filter: Filter | null
  readonly search: string
  readonly sort: readonly ViewKey[]
  readonly group: readonly ViewKey[]
}

/** Layout by field ID; fields missing from `order` come last. */
export type ViewLayout = {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  /** Columns, besides the title, that stay visible when scrolling horizontally. */
  readonly frozen: readonly string[]
  readonly widthsPx: { readonly [field: string]: number }
  /** Column summary of each field, such as `sum`. */
  readonly footers: { readonly [field: string]: string }
}

/** Colors records that match a filter; the first matching rule applies. */
export type ColorRule = {
  readonly filter: Filter
  readonly color: OptionColor
  /** Field to color; absent: the whole row. */
  readonly field?: string
}

export type ViewAppearance = {
  readonly density: (typeof VIEW_DENSITIES)[number]
  readonly areFiltersShown: boolean
  readonly isWrapped: boolean
  readonly colors: readonly ColorRule[]
}

export type ViewContent = {
  readonly query: ViewQuery
  readonly display: ViewDisplay
  readonly layout: ViewLayout
  readonly look: ViewAppearance
  readonly pageSize: PageSize
}

export type View = ViewContent & {
  readonly id: ViewId
  readonly collection: CollectionId
  /** Creator of the view, and the only user who can see it while it is private. */
  readonly owner: UserId
  readonly name: string
  readonly isShared: boolean
  /** If locked, only the owner and managers of the collection can change the view. */
  readonly isLocked: boolean
  readonly version: number
}
