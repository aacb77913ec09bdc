import { z } from 'zod'
import type { ProblemCode } from '#domain/shared/problem.ts'

/** The verbs we speak. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS'

/** What it takes to answer. */
export type CostClass = 'normal' | 'high' | 'none'

/** A schema of something that comes as an object of named parts. */
export type ObjectSchema = z.ZodType<{ readonly [part: string]: unknown }>

/**
 * One thing the server can be asked. `body: 'stream'` hands the raw bytes on; `answer: 'raw'` is written by the
 * handler itself (files, streams, protocol dialects), as `sends` tells; `answer: 'empty'` is 204. Unknown parts of
 * `query` and `body` are refused by name, so their schemas are strict.
 */
export type Endpoint<
  Params extends ObjectSchema = ObjectSchema,
  Query extends ObjectSchema = ObjectSchema,
  Body extends z.ZodType | 'stream' | 'none' = z.ZodType | 'stream' | 'none',
  ResponseBody extends z.ZodType | 'raw' | 'empty' = z.ZodType | 'raw' | 'empty',
> = {
  readonly method: Method
  /** Fastify's form: `/api/collections/:collection`. */
  readonly path: string
  readonly summary: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly response: ResponseBody
  /** 200 unless said otherwise. */
  readonly status: number
  /** How else it answers where all goes well, by status: as which type; null: with nothing but headers. */
  readonly contentTypes: { readonly [status: number]: string | null }
  /**
   * What it takes to answer, where its kind does not tell: `dear` looks at or changes whatever is there; `none` answers
   * whoever watches over the server, also when it has too much to do.
   */
  readonly cost: CostClass
  /** The problems this endpoint has of its own; those every endpoint may have are not repeated. */
  readonly problems: readonly ProblemCode[]
}

/** Replaces the parts an endpoint does not have. */
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

/** Declares an endpoint; parts left out are empty. */
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
    // The three parts left out get the empty form their type parameters default to.
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

/** A whole number in a query, where everything is text. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

/** An error response, `application/problem+json` (RFC 9457), with a code, part errors and the request id. */
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

/** The parsed form. */
export type ProblemBody = z.infer<typeof problemBody> & { readonly [extra: string]: unknown }
