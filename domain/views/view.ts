import type { Filter } from '../query/filter/filter.ts'
import type { OptionColor } from '../fields/field.ts'
import type { CollectionId, UserId } from '../shared/ids.ts'
import type { PageSize } from '../specification.ts'

/** The permanent id of a view. */
export type ViewId = string

/** Most own views of a user per collection: all are loaded with the list. */
export const MAX_OWN_VIEWS = 100

/** Most shared views of one collection. */
export const MAX_SHARED_VIEWS = 200

/** Longest view name in characters: it is shown on a tab. */
export const MAX_VIEW_NAME = 80

/** Most colours of lines in one view: every line drawn is held against each. */
export const MAX_COLOR_RULES = 20

/** Largest stored view as JSON, in characters: all views are loaded together. */
export const MAX_VIEW_LENGTH = 100_000

/** How tall a line is. */
export const VIEW_DENSITIES = ['compact', 'normal', 'tall'] as const

/** A path to sort or group by, of the ids of fields. */
export type ViewKey = { readonly path: string; readonly isDescending: boolean }

/** The query of a view. Fields and options are stored by id. */
export type ViewQuery = {
  /** null: every record. */
  readonly filter: Filter | null
  readonly search: string
  readonly sort: readonly ViewKey[]
  readonly group: readonly ViewKey[]
}

/** How fields are laid out, by their ids; those that the order does not name follow behind it. */
export type ViewLayout = {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  /** Those that stay in sight when one scrolls to the side, besides the title. */
  readonly frozen: readonly string[]
  readonly widthsPx: { readonly [field: string]: number }
  /** The summary of each field, such as `sum`. */
  readonly footers: { readonly [field: string]: string }
}

/** Colors records that match a filter, as a whole or in one field; the first match decides. */
export type ColorRule = {
  readonly filter: Filter
  readonly color: OptionColor
  /** The field by its id; left out: the whole line. */
  readonly field?: string
}

/** How lines look. */
export type ViewAppearance = {
  readonly density: (typeof VIEW_DENSITIES)[number]
  readonly areFiltersShown: boolean
  readonly isWrapped: boolean
  readonly colors: readonly ColorRule[]
}

/** Everything a view shows. */
export type ViewContent = {
  readonly query: ViewQuery
  readonly layout: ViewLayout
  readonly look: ViewAppearance
  readonly pageSize: PageSize
}

/** A saved view of a collection. */
export type View = ViewContent & {
  readonly id: ViewId
  readonly collection: CollectionId
  /** The creator: the only one who sees a private view. */
  readonly owner: UserId
  readonly name: string
  readonly isShared: boolean
  /** Only its owner and managers of the collection may change it. */
  readonly isLocked: boolean
  readonly version: number
}
