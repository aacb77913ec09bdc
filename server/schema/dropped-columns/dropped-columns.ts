/** How a column is called whose field is gone, and which still holds values. */
export const RETIRED_PREFIX = 'left_'

/** How it is called once it is empty. */
export const CLEARED_PREFIX = 'emptied_'

/** Whether a column belongs to no field any more, and is known to. */
export const isRetiredColumn = (column: string): boolean =>
  column.startsWith(RETIRED_PREFIX) || column.startsWith(CLEARED_PREFIX)
