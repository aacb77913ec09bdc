/**
 * Every expected failure a caller can meet, with its HTTP status. A code that does not stand here does not compile,
 * and each has a sentence for people in `web/data/api/error-messages.ts`.
 */
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
  // Not 507: programs try what begins with 5 again and again, and neither becomes right by that.
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
  // Of one asker; nothing of the request was looked at.
  'too-many-at-once': 429,
  // Not in RFC 9110; tus says it so.
  'checksum-mismatch': 460,
  'internal-error': 500,
  // Of all together; nothing of the request was looked at.
  overloaded: 503,
  'not-ready': 503,
  'storage-away': 503,
  'database-damaged': 503,
} as const satisfies { readonly [code: string]: number }

/** The code of an expected failure. */
export type ProblemCode = keyof typeof PROBLEMS

/** One thing wrong with one part of what was sent: `path` is the field's name or the place in the body. */
export type PartProblem = {
  readonly path: string
  readonly code: string
  readonly message: string
  /** Where in a text it is, in UTF-16 units from 0. */
  readonly position?: number
}

/** Of what is wrong with a request as it stands so many parts are told at most: whoever sent more has seen enough. */
export const MAX_REPORTED = 100

/** Of many records those that stand in the way for one reason, in a sentence for people. */
export type SkippedByReason = { readonly message: string; readonly records: readonly string[] }

/** What a problem tells besides its code. `extra` stands beside the standard members of the answer. */
export type ProblemDetails = {
  readonly errors?: readonly PartProblem[]
  /** Which records stand in the way, for whoever goes on without them; not sent by itself. */
  readonly refused?: readonly SkippedByReason[]
  readonly extra?: { readonly [member: string]: unknown }
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
}

/** An expected failure. `detail` is one or two sentences for the person: what happened, what to do next. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly details: ProblemDetails

  constructor(code: ProblemCode, detail: string, details: ProblemDetails = {}) {
    super(detail)
    this.name = 'Problem'
    this.code = code
    this.details = details
  }

  /** The HTTP status that goes with the code. */
  get status(): number {
    return PROBLEMS[this.code]
  }
}
