/** Expected errors with their HTTP status. Each has a message in `web/data/api/error-messages.ts`. */
export const PROBLEMS = {
  'invalid-request': 400,
  'unknown-parameter': 400,
  'time-zone-unknown': 400,
  'invalid-filter': 400,
  'invalid-sort': 400,
  'invalid-group': 400,
  'invalid-search': 400,
  'invalid-cursor': 400,
  'invalid-csv': 400,
  'upload-target-missing': 400,
  'invalid-upload': 400,
  'token-missing': 401,
  'token-expired': 401,
  'token-invalid': 401,
  'session-ended': 401,
  'refresh-invalid': 401,
  'refresh-reused': 401,
  'step-up-needed': 401,
  'login-refused': 401,
  'second-factor-needed': 403,
  forbidden: 403,
  'origin-refused': 403,
  'setup-code-wrong': 403,
  'view-as-read-only': 403,
  'not-found': 404,
  'record-not-found': 404,
  'collection-not-found': 404,
  'method-not-allowed': 405,
  'version-conflict': 409,
  'count-changed': 409,
  'setup-done': 409,
  'user-changed': 409,
  'view-as-ended': 409,
  'name-taken': 409,
  'change-running': 409,
  'import-not-ready': 409,
  'sample-not-empty': 409,
  'in-use': 409,
  'upload-offset-wrong': 409,
  gone: 410,
  'upload-version-unknown': 412,
  'too-large': 413,
  // Not 507, because clients retry on 5xx.
  'workspace-full': 413,
  'storage-full': 413,
  'wrong-content-type': 415,
  'range-not-satisfiable': 416,
  'values-invalid': 422,
  'rule-broken': 422,
  'transition-refused': 422,
  'use-transition': 422,
  'field-frozen': 422,
  'definition-invalid': 422,
  'example-broken': 422,
  'import-failed': 422,
  'file-type-refused': 422,
  'password-weak': 422,
  'upload-held-up': 423,
  'too-many-requests': 429,
  // Per-client limit; the request was not processed.
  'too-many-at-once': 429,
  // Defined by tus, not by RFC 9110.
  'checksum-mismatch': 460,
  'internal-error': 500,
  // Server-wide limit; the request was not processed.
  overloaded: 503,
  'not-ready': 503,
  'storage-away': 503,
  'database-damaged': 503,
} as const satisfies { readonly [code: string]: number }

export type ProblemCode = keyof typeof PROBLEMS

/** `path` is the field name or the path in the body. */
export type PartProblem = {
  readonly path: string
  readonly code: string
  readonly message: string
  /** Zero-based UTF-16 offset. */
  readonly position?: number
}

export const partProblem = (path: string, code: string, message: string): PartProblem => ({ path, code, message })

/** Maximum number of problems reported. */
export const MAX_REPORTED = 100

/** Records that failed for the same reason. */
export type SkippedByReason = { readonly message: string; readonly records: readonly string[] }

/** `extra` adds members to the problem response. */
export type ProblemDetails = {
  readonly errors?: readonly PartProblem[]
  /** For callers that continue without the failed records; not sent to clients. */
  readonly refused?: readonly SkippedByReason[]
  readonly extra?: { readonly [member: string]: unknown }
  /** Sent as the `Retry-After` header. */
  readonly retryAfterSeconds?: number
}

/** Expected error. `detail` explains the problem and how to solve it, in one or two sentences. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly details: ProblemDetails

  constructor(code: ProblemCode, detail: string, details: ProblemDetails = {}) {
    super(detail)
    this.name = 'Problem'
    this.code = code
    this.details = details
  }

  get status(): number {
    return PROBLEMS[this.code]
  }
}
