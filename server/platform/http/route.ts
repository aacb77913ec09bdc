import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Endpoint, ObjectSchema } from '#api/endpoint.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Problem } from '#domain/shared/problem.ts'
import type { Access } from './access.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : never

type BodyOf<Body> = Body extends 'stream' ? Readable : Body extends 'none' ? undefined : Parsed<Body>

type AnswerOf<Answer> = Answer extends 'raw' | 'empty' ? void : Answer extends z.ZodType ? z.input<Answer> : never

/** Handler input: the actor and validated request data, plus the raw request and reply for cookies and streams. */
export type RouteInput<Params, Query, Body> = {
  readonly actor: Actor
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export type Route = {
  readonly endpoint: Endpoint
  readonly access: Access
  readonly handle: (requested: RouteInput<unknown, unknown, unknown>) => Promise<unknown>
  readonly retell?: MapProblem | undefined
}

export type MapProblem = (problem: Problem) => Problem

/** Binds an endpoint to its access rule and handler. A missing access rule is a compile error. */
export function route<
  Params extends ObjectSchema,
  Query extends ObjectSchema,
  Body extends z.ZodType | 'stream' | 'none',
  Answer extends z.ZodType | 'raw' | 'empty',
>(
  endpoint: Endpoint<Params, Query, Body, Answer>,
  access: Access,
  handle: (requested: RouteInput<z.output<Params>, z.output<Query>, BodyOf<Body>>) => Promise<AnswerOf<Answer>>,
  retell?: MapProblem,
): Route {
  // Safe, because requests are parsed with this endpoint's schemas before the type-erased handler is called.
  return { endpoint, access, handle: handle as Route['handle'], retell }
}
