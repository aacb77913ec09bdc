/** In UTF-16 units: filters are sent in URLs, and servers and proxies allow 8 to 64 KB. */
export const MAX_FILTER_LENGTH = 20_000

/** The filter editor uses 3; the limit protects our parser and SQLite's expression depth of 1,000. */
export const MAX_FILTER_DEPTH = 8

/** Far more than anyone needs; each can cost a pass over the records. */
export const MAX_COMPARISONS = 200

/** Lists included. SQLite allows 32,766 bound values per statement; a page may bind a filter several times. */
export const MAX_FILTER_VALUES = 2_000

/** Comparisons by option order or part of a name expand to many options, each of them a bound value. */
export const MAX_FILTER_OPTIONS = 4_000

/** Relations per path (`author.country.name`), and per comparison of two paths: each is a join. */
export const MAX_PATH_RELATIONS = 3

/** After a few fields, sort keys are unique anyway. */
export const MAX_SORT_KEYS = 8

export const MAX_SEARCH_TERMS = 16

/** In UTF-16 units. */
export const MAX_SEARCH_LENGTH = 500

/** The grid shows three levels. */
export const MAX_GROUP_FIELDS = 3

/** Enough for the footer of a wide grid. */
export const MAX_AGGREGATES = 50

/** Fixed by the specification. */
export const MAX_PER_PAGE = 500

/** Counts are exact up to this number (specification); an exact larger count would read every record. */
export const COUNT_CAP = 10_000

/** In characters, since cursors are sent in URLs; longer keys are replaced by the ordinal. */
export const MAX_CURSOR_LENGTH = 1_500
