/** In UTF-16 units. Filters are sent in URLs, which servers and proxies limit to 8 to 64 KB. */
export const MAX_FILTER_LENGTH = 20_000

/**
 * The filter editor supports 3 levels; the limit protects our parser and stays within SQLite's expression depth of
 * 1,000.
 */
export const MAX_FILTER_DEPTH = 8

/** Far above normal use; each comparison can require a pass over all records. */
export const MAX_COMPARISONS = 200

/**
 * Includes values in lists. SQLite allows 32,766 bound values per statement, and a page may bind a filter several
 * times.
 */
export const MAX_FILTER_VALUES = 2_000

/** Operations of all formulas in a filter; a single formula can have as many as a formula field. */
export const MAX_FILTER_OPERATIONS = 4_000

/** Comparisons by option order or partial name expand to many options, each a bound value. */
export const MAX_FILTER_OPTIONS = 4_000

/** Relations per path (`author.country.name`), and per comparison of two paths; each relation is a join. */
export const MAX_PATH_RELATIONS = 3

/** Sort keys are usually unique after a few fields. */
export const MAX_SORT_KEYS = 8

export const MAX_SEARCH_TERMS = 16

/** In UTF-16 units. */
export const MAX_SEARCH_LENGTH = 500

/** The grid shows three levels. */
export const MAX_GROUP_FIELDS = 3

/**
 * Group-by fields with several values, because a record is in the group of every combination of their values. Stored
 * fields have at most 1,000 values per record; the number of records that link to one has no limit.
 */
export const MAX_GROUP_LISTS = 2
export const MAX_GROUP_REVERSE_SIDES = 1

/** Enough for the column summaries of a wide grid. */
export const MAX_AGGREGATES = 50

/** Limit set by the specification. */
export const MAX_PER_PAGE = 500

/** Counts are exact up to this number (specification); exact counts above it would require reading every record. */
export const COUNT_CAP = 10_000

/** In characters, because cursors are sent in URLs; if a key is longer, the ordinal is used instead. */
export const MAX_CURSOR_LENGTH = 1_500
