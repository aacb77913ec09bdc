/** Most rows of a table that is kept. */
export const MAX_ROWS = 1000

/** Most columns of a table that is kept. */
export const MAX_COLUMNS = 50
