/** Prefix of a dropped column that still has values. */
export const RETIRED_PREFIX = 'left_'

/** Prefix of a dropped column that is empty. */
export const CLEARED_PREFIX = 'emptied_'

export const isRetiredColumn = (column: string): boolean =>
  column.startsWith(RETIRED_PREFIX) || column.startsWith(CLEARED_PREFIX)
