/** How a column is called whose field is gone, and which still holds values. */
export const LEFT_PREFIX = 'left_'

/** How it is called once it is empty. */
export const EMPTIED_PREFIX = 'emptied_'

/** Whether a column belongs to no field any more, and is known to. */
export const isLeftBehind = (column: string): boolean =>
  column.startsWith(LEFT_PREFIX) || column.startsWith(EMPTIED_PREFIX)
