import type { ViewId } from './view.ts'

/** Sort key of a view's own manual order; in other queries, the ID of the view follows: `@manual:<view ID>`. */
export const MANUAL_ORDER = '@manual'

/** A view's manual order that the reader may use. */
export type ManualOrder = {
  readonly view: ViewId
  /** Without moved records, the order is that of the IDs. */
  readonly isEmpty: boolean
}

export const isManualOrder = (path: string): boolean => path === MANUAL_ORDER || path.startsWith(`${MANUAL_ORDER}:`)

/** The view that a sort key names; empty if it names none, undefined if it isn't a manual order. */
export const viewOfManualOrder = (path: string): ViewId | undefined =>
  isManualOrder(path) ? path.slice(MANUAL_ORDER.length + 1) : undefined
