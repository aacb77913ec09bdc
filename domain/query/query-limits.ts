/**
 * Longest filter as text, in UTF-16 units: it travels in an address, and servers and proxies stop at 8 to 64 KB.
 */
export const MAX_FILTER_LENGTH = 20_000

/**
 * Deepest nesting of a filter. Our builder draws 3; the limit keeps a crafted filter off the stacks of our parser and
 * of the databases (SQLite stops at an expression depth of 1000).
 */
export const MAX_FILTER_DEPTH = 8

/** Most comparisons in one filter: far above what a person writes, and each can cost one pass over the records. */
export const MAX_COMPARISONS = 200

/**
 * Most values in one filter, lists included. SQLite takes 32,766 bound values a statement and PostgreSQL 65,535; a page
 * binds a long filter once, and a short one in each stretch of an index.
 */
export const MAX_FILTER_VALUES = 2_000

/**
 * Most options that the comparisons of one filter come down to: one with an order or a part of a name means many, each a
 * bound value, and two fields of options are compared option by option, for every record.
 */
export const MAX_FILTER_OPTIONS = 4_000

/**
 * Most relations a path may cross (`author.country.continent.name`), and both paths of a comparison of two fields
 * together: every one is a join for every record.
 */
export const MAX_PATH_RELATIONS = 3

/** Most fields to sort by: after a few, no two records are equal any more. */
export const MAX_SORT_KEYS = 8

/** Most words and phrases of one search: every one is looked for in every searched field. */
export const MAX_SEARCH_TERMS = 16

/** Longest search, in UTF-16 units. */
export const MAX_SEARCH_LENGTH = 500

/** Most fields to group by: the grid draws three levels. */
export const MAX_GROUP_FIELDS = 3

/** Most aggregates of one group query: a footer for a wide grid. */
export const MAX_AGGREGATES = 50

/** Most records of one page (contract, "Collections and records"). */
export const MAX_PER_PAGE = 500

/** Up to here a capped count is exact (contract); counting further would look at every record for a number nobody reads. */
export const COUNT_CAP = 10_000

/** Longest cursor we hand out, in characters: it travels in an address. Longer places are told by their ordinal. */
export const MAX_CURSOR_LENGTH = 1_500
