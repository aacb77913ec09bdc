/** Timestamps are ISO 8601 text in UTC with ms in system tables on both databases: only stored and read back. */
export type IsoInstant = string

export type JsonText = string
