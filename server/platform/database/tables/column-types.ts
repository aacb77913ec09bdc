/** Instants are ISO 8601 text in UTC with ms in our own tables on both databases: only stored and read back. */
export type IsoInstant = string

/** JSON is text there, too. */
export type JsonText = string
