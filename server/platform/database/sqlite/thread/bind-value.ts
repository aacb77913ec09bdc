/** A value as SQLite can take it: it knows no truth of its own, so 1 and 0 stand for it. */
export const toBindValue = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)
