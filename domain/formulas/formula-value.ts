/**
 * Value of an expression. Texts and booleans are never null: an empty text is `''`. Dates and date-times are stored as
 * in fields; a `wall` is in ms since 1970.
 */
export type FormulaValue = string | number | boolean | null

/** The current time and the workspace's time zone (IANA name), as of a request. */
export type FormulaCalendar = { readonly now: Date; readonly timeZone: string }
