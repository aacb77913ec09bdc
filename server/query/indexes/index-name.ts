/** Prefix of automatic indexes; other indexes start differently. */
export const indexName = (id: string): string => `x_${id}`
