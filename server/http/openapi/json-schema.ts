export type Json = { readonly [key: string]: unknown }

export const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

export const inJson = (schema: Json, example?: unknown): Json => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})

/** The members of an object as JSON without braces, so that a large document can be assembled in pieces. */
export const membersOf = (object: Json): string => JSON.stringify(object).slice(1, -1)
