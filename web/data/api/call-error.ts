import type { PartProblem, ProblemCode } from '#domain/shared/problem.ts'
import { PROBLEMS } from '#domain/shared/problem.ts'

/** Why a call failed: a problem the server named, or something only the browser can know. */
export type FailureCode =
  | ProblemCode
  /** The server could not be reached, or a proxy answered in its place. */
  | 'unreachable'
  /** An answer came, but it is none of ours. */
  | 'unreadable-answer'
  /** The session is over and could not be renewed; the request was not sent, or is void. */
  | 'session-expired'
  /** Somebody signed in or out while the call was under way; its answer belongs to nobody. */
  | 'session-changed'
  /** The browser's passkey dialog ended without a passkey. */
  | 'passkey-unused'
  /** The one who asked no longer wants to know. */
  | 'aborted'

/** What a failed call knows besides its code. */
export type FailureDetails = {
  /** 0 where no answer came. */
  readonly status?: number
  readonly errors?: readonly PartProblem[]
  /** Members of the problem besides the standard ones, for instance the current record of a version conflict. */
  readonly extra?: { readonly [member: string]: unknown }
  readonly requestId?: string
  readonly retryAfterSeconds?: number
}

/** The one way in which a call fails. `detail` is for people: what happened, what to do next. */
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

  /** Whether the same call may go well a little later, by itself. */
  get isPassing(): boolean {
    return this.code === 'unreachable' || this.code === 'not-ready' || this.status >= 500
  }
}

/** Whether a code is a known problem code. */
export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code)

/** The error as a `CallError`, if it is one. */
export const toCallError = (error: unknown): CallError | undefined => (error instanceof CallError ? error : undefined)
