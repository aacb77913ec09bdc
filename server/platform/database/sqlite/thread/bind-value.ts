/** SQLite has no Booleans, so they become 1 and 0. */
export const toBindValue = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)
