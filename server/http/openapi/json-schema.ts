/** A JSON Schema, or any other object of the document. */
export type Json = { readonly [key: string]: unknown }

/** Points at a schema of the document. */
export const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** What a body or an answer in JSON is declared by. */
export const inJson = (schema: Json, example?: unknown): Json => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})

/** The members of an object as JSON, without its braces: so that a document of many megabytes is put together of pieces. */
export const membersOf = (object: Json): string => JSON.stringify(object).slice(1, -1)
