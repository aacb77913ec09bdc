import { z } from 'zod'
import type { ObjectSchema } from '#api/endpoint.ts'

export type Json = { readonly [key: string]: unknown }

export const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

export const inJson = (schema: Json, example?: unknown): Json => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})

/** An object's members as JSON without braces, so that a large document can be assembled piecewise. */
export const membersOf = (object: Json): string => JSON.stringify(object).slice(1, -1)

const objectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
})

export type ObjectParts = z.infer<typeof objectSchema>

export const objectParts = (schema: ObjectSchema, io: 'input' | 'output'): ObjectParts =>
  objectSchema.parse(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
