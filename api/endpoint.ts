import { z } from 'zod'
import type { ProblemCode } from '#domain/shared/problem.ts'

/** The verbs we speak. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS'

/** What it takes to answer. */
export type CostClass = 'usual' | 'dear' | 'none'

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
  Answer extends z.ZodType | 'raw' | 'empty' = z.ZodType | 'raw' | 'empty',
> = {
  readonly method: Method
  /** Fastify's form: `/api/collections/:collection`. */
  readonly path: string
  readonly summary: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly answer: Answer
  /** 200 unless said otherwise. */
  readonly status: number
  /** How else it answers where all goes well, by status: as which type; null: with nothing but headers. */
  readonly sends: { readonly [status: number]: string | null }
  /**
   * What it takes to answer, where its kind does not tell: `dear` looks at or changes whatever is there; `none` answers
   * whoever watches over the server, also when it has too much to do.
   */
  readonly effort: CostClass
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
  Answer extends z.ZodType | 'raw' | 'empty',
> = {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly answer: Answer
  readonly status?: number
  readonly sends?: { readonly [status: number]: string | null }
  readonly effort?: CostClass
  readonly problems?: readonly ProblemCode[]
}

/** Declares an endpoint; parts left out are empty. */
export function endpoint<
  const Params extends ObjectSchema = NoParts,
  const Query extends ObjectSchema = NoParts,
  const Body extends z.ZodType | 'stream' | 'none' = 'none',
  const Answer extends z.ZodType | 'raw' | 'empty' = 'empty',
>(said: EndpointInput<Params, Query, Body, Answer>): Endpoint<Params, Query, Body, Answer> {
  return {
    method: said.method,
    path: said.path,
    summary: said.summary,
    // The three parts left out get the empty form their type parameters default to.
    params: said.params ?? (NO_PARTS as unknown as Params),
    query: said.query ?? (NO_PARTS as unknown as Query),
    body: said.body ?? ('none' as Body),
    answer: said.answer,
    status: said.status ?? (said.answer === 'empty' ? 204 : 200),
    sends: said.sends ?? {},
    effort: said.effort ?? 'usual',
    problems: said.problems ?? [],
  }
}
