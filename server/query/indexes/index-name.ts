/** The name of an index that the server made by itself; names of other indexes begin otherwise. */
export const indexName = (id: string): string => `x_${id}`
