/** The page of a collection. */
export const collectionPath = (collection: string): string => `/collections/${encodeURIComponent(collection)}`

/** The page of a record. */
export const recordPath = (collection: string, record: string): string =>
  `${collectionPath(collection)}/${encodeURIComponent(record)}`

/** The page on which a collection's definition is changed. */
export const collectionSettingsPath = (collection: string): string => `${collectionPath(collection)}/settings`
