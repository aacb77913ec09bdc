import { z } from 'zod'
import { LANGUAGES } from '#domain/shared/language.ts'
import { displayName } from './account.ts'
import { endpoint } from './endpoint.ts'
import { workspaceName } from './workspace.ts'

export const FACTOR_METHODS = ['totp', 'passkey', 'recovery-code'] as const

export type FactorMethod = (typeof FACTOR_METHODS)[number]

/** `refresh_token` is omitted for browsers, which get a cookie instead. */
export const tokenResponse = z.object({
  token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().describe('seconds'),
  expires_at: z.string(),
  session_id: z.string(),
  refresh_token: z.string().optional(),
})

export type TokenResponse = z.infer<typeof tokenResponse>

/** Response when a second factor is still required. */
export const challengeResponse = z.object({
  challenge: z.object({
    id: z.string(),
    methods: z.array(z.enum(FACTOR_METHODS)),
    expires_at: z.string(),
  }),
})

export type ChallengeResponse = z.infer<typeof challengeResponse>

export const sessionUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  /** null: use the browser's language. */
  language: z.enum(LANGUAGES).nullable(),
  scope: z.array(z.string()),
  roles: z.array(z.object({ id: z.string(), name: z.string() })),
  /** User attributes, available in conditions as `@me.<name>`. */
  profile: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** How the user signed in; empty for API tokens. */
  methods: z.array(z.string()),
  /** null for API tokens. */
  session_id: z.string().nullable(),
  /** True if a required second factor isn't set up yet; until then only account endpoints are accessible. */
  needs_second_factor: z.boolean(),
  /**
   * Impersonated user and real user. `is_on`: the request was processed as the impersonated user because of the
   * `View-As` header; `held`: their permissions before the read-only restriction.
   */
  view_as: z
    .object({
      user: z.object({ id: z.string(), name: z.string() }),
      by: z.object({ id: z.string(), name: z.string() }),
      is_on: z.boolean(),
      held: z.array(z.string()),
    })
    .nullable(),
})

export type SessionUser = z.infer<typeof sessionUser>

/** Whether the session survives closing the browser. Sessions that don't survive it also expire sooner. */
export const rememberInput = z.boolean().default(true)

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in with email and password.',
  body: z.strictObject({
    email: z.string().min(1).max(254),
    password: z.string().min(1).max(1024),
    client: z.enum(['browser', 'api']).default('browser'),
    remember: rememberInput,
  }),
  response: z.union([tokenResponse, challengeResponse]),
  problems: ['login-refused', 'too-many-requests', 'origin-refused'],
})

export const refresh = endpoint({
  method: 'POST',
  path: '/api/auth/refresh',
  summary:
    'Refresh the access token. Send the refresh token in the cookie (browser) or in the body (API client), not both.',
  body: z.strictObject({ refresh_token: z.string().max(1024).optional() }).optional(),
  response: tokenResponse,
  problems: [
    'refresh-invalid',
    'refresh-reused',
    'session-ended',
    'origin-refused',
    'too-many-requests',
    'user-changed',
  ],
})

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Sign out; always succeeds.',
  body: z.strictObject({ scope: z.enum(['this', 'others', 'all']).default('this') }).optional(),
  response: 'empty',
})

export const readSessionUser = endpoint({
  method: 'GET',
  path: '/api/auth/user',
  summary: 'Get the signed-in user.',
  response: z.object({ user: z.looseObject(sessionUser.shape) }),
})

export const readSetup = endpoint({
  method: 'GET',
  path: '/api/setup',
  summary: 'Check whether the workspace still needs its first owner.',
  response: z.object({ needed: z.boolean(), offersSample: z.boolean() }),
})

export const setUp = endpoint({
  method: 'POST',
  path: '/api/setup',
  summary: 'Create the first owner with the one-time code and sign in.',
  body: z.strictObject({
    code: z.string().min(1).max(200),
    email: z.email().max(254),
    name: displayName,
    password: z.string().max(1024),
    workspaceName: workspaceName.optional(),
  }),
  response: tokenResponse,
  status: 201,
  problems: [
    'setup-code-wrong',
    'setup-done',
    'values-invalid',
    'password-weak',
    'too-many-requests',
    'origin-refused',
  ],
})
