import { z } from 'zod'
import { LANGUAGES } from '#domain/shared/language.ts'
import { displayName } from './account.ts'
import { endpoint } from './endpoint.ts'

/** The ways to prove who one is besides the password. */
export const FACTOR_METHODS = ['totp', 'passkey', 'recovery-code'] as const

/** One of them. */
export type FactorMethod = (typeof FACTOR_METHODS)[number]

/** What a successful sign-in or refresh answers. `refresh_token` only in the body form, for programs. */
export const tokenResponse = z.object({
  token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().describe('seconds'),
  expires_at: z.string(),
  session_id: z.string(),
  refresh_token: z.string().optional(),
})

/** The parsed form. */
export type TokenResponse = z.infer<typeof tokenResponse>

/** What a sign-in answers when a second factor is still missing: no token, but a challenge to be answered. */
export const challengeResponse = z.object({
  challenge: z.object({
    id: z.string(),
    methods: z.array(z.enum(FACTOR_METHODS)),
    expires_at: z.string(),
  }),
})

/** The parsed form. */
export type ChallengeResponse = z.infer<typeof challengeResponse>

/** The signed-in user as the session sees them. */
export const sessionUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  /** null: they chose none, and the browser decides. */
  language: z.enum(LANGUAGES).nullable(),
  scope: z.array(z.string()),
  roles: z.array(z.object({ id: z.string(), name: z.string() })),
  /** What `@me.<name>` means to them. */
  profile: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** By what they proved who they are; empty for an API token. */
  methods: z.array(z.string()),
  /** null: an API token. */
  session_id: z.string().nullable(),
  /** Whether the workspace requires a second factor they have yet to set up; nothing but their account is open until then. */
  needs_second_factor: z.boolean(),
  /**
   * As whom this session looks at the product, and who that really is. `is_on`: this very answer is as they see it, for
   * the request named them in `View-As`; `held` are then their permissions before they were narrowed to reading.
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

/** The parsed form. */
export type SessionUser = z.infer<typeof sessionUser>

/** Whether the device stays signed in when the browser is closed; if not, the session also ends sooner. */
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
