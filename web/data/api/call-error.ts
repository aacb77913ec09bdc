import type { PartProblem, ProblemCode } from '#domain/shared/problem.ts'
import { PROBLEMS } from '#domain/shared/problem.ts'

/** The reason for a failed call: a problem code from the server, or an error detected by the browser. */
export type FailureCode =
  | ProblemCode
  /** The server couldn't be reached, or a proxy responded instead. */
  | 'unreachable'
  /** The response body can't be parsed. */
  | 'unreadable-answer'
  /** The session has ended and couldn't be refreshed; the request wasn't sent or had no effect. */
  | 'session-expired'
  /** The user signed in or out during the call, so the response is discarded. */
  | 'session-changed'
  | 'passkey-unused'
  | 'aborted'

export type FailureDetails = {
  /** HTTP status; 0 if there was no response. */
  readonly status?: number
  readonly errors?: readonly PartProblem[]
  /** Extension members of the problem, such as the current record in a version conflict. */
  readonly extra?: { readonly [member: string]: unknown }
  readonly requestId?: string
  readonly retryAfterSeconds?: number
}

/** The error thrown by every failed call. `detail` tells the user what happened and what to do next. */
export class CallError extends Error {
  readonly code: FailureCode
  readonly detail: string
  readonly status: number
  readonly errors: readonly PartProblem[]
  readonly extra: { readonly [member: string]: unknown }
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: FailureCode, detail: string, details: FailureDetails = {}) {
    super(detail)
    this.name = 'CallFailed'
    this.code = code
    this.detail = detail
    this.status = details.status ?? 0
    this.errors = details.errors ?? []
    this.extra = details.extra ?? {}
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
  }

  /** Whether retrying the same request may succeed. */
  get isPassing(): boolean {
    return this.code === 'unreachable' || this.code === 'not-ready' || this.status >= 500
  }
}

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code)

export const toCallError = (error: unknown): CallError | undefined => (error instanceof CallError ? error : undefined)
