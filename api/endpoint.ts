import { z } from 'zod'
import type { ProblemCode } from '#domain/shared/problem.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS'

export type CostClass = 'normal' | 'high' | 'none'

export type ObjectSchema = z.ZodType<{ readonly [part: string]: unknown }>

/**
 * API endpoint. Body `stream`: raw bytes; response `raw`: written by the handler with one of `contentTypes`; response
 * `empty`: 204. The `query` and `body` schemas are strict, so errors name unknown keys.
 */
export type Endpoint<
  Params extends ObjectSchema = ObjectSchema,
  Query extends ObjectSchema = ObjectSchema,
  Body extends z.ZodType | 'stream' | 'none' = z.ZodType | 'stream' | 'none',
  ResponseBody extends z.ZodType | 'raw' | 'empty' = z.ZodType | 'raw' | 'empty',
> = {
  readonly method: Method
  /** Uses Fastify route syntax, such as `/api/collections/:collection`. */
  readonly path: string
  readonly summary: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly response: ResponseBody
  /** Defaults to 200. */
  readonly status: number
  /** Content types of other success responses by status; null if the response has no body. */
  readonly contentTypes: { readonly [status: number]: string | null }
  /** `high`: reads or changes many records; `none`: monitoring endpoint, which must work during overload. */
  readonly cost: CostClass
  /** Excludes problems that every endpoint can return. */
  readonly problems: readonly ProblemCode[]
}

type NoParts = z.ZodType<{ readonly [part: string]: never }>
const NO_PARTS = z.strictObject({})

type EndpointInput<
  Params extends ObjectSchema,
  Query extends ObjectSchema,
  Body extends z.ZodType | 'stream' | 'none',
  ResponseBody extends z.ZodType | 'raw' | 'empty',
> = {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly response: ResponseBody
  readonly status?: number
  readonly contentTypes?: { readonly [status: number]: string | null }
  readonly cost?: CostClass
  readonly problems?: readonly ProblemCode[]
}

export function endpoint<
  const Params extends ObjectSchema = NoParts,
  const Query extends ObjectSchema = NoParts,
  const Body extends z.ZodType | 'stream' | 'none' = 'none',
  const ResponseBody extends z.ZodType | 'raw' | 'empty' = 'empty',
>(definition: EndpointInput<Params, Query, Body, ResponseBody>): Endpoint<Params, Query, Body, ResponseBody> {
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    // If a schema is omitted, its type parameter defaults to the empty schema.
    params: definition.params ?? (NO_PARTS as unknown as Params),
    query: definition.query ?? (NO_PARTS as unknown as Query),
    body: definition.body ?? ('none' as Body),
    response: definition.response,
    status: definition.status ?? (definition.response === 'empty' ? 204 : 200),
    contentTypes: definition.contentTypes ?? {},
    cost: definition.cost ?? 'normal',
    problems: definition.problems ?? [],
  }
}

export const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

/** An error response, `application/problem+json` (RFC 9457). */
export const problemBody = z.looseObject({
  code: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  errors: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string(), position: z.number().optional() }))
    .optional(),
  requestId: z.string(),
})

export type ProblemBody = z.infer<typeof problemBody> & { readonly [extra: string]: unknown }
