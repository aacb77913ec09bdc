import { z } from 'zod'
import { LANGUAGES } from '#domain/shared/language.ts'
import { endpoint } from './endpoint.ts'
import { MAX_DISPLAY_NAME, checkDisplayName, normalDisplayName } from '#domain/shared/display-name.ts'

/** Display name of a user, role or token; validated by `checkDisplayName`. */
export const displayName = z
  .string()
  .min(1)
  // Loose upper bound, because normalization can shorten the name before its length is checked.
  .max(4 * MAX_DISPLAY_NAME)
  .superRefine((given, context) => {
    const checked = checkDisplayName(given)
    if (!checked.ok) context.addIssue({ code: 'custom', message: checked.fault })
  })
  .overwrite(normalDisplayName)

const sessionBody = z.object({
  id: z.string(),
  kind: z.enum(['browser', 'api']),
  isCurrent: z.boolean(),
  /** Derived from the user agent, such as “Firefox on Linux”. */
  device: z.string(),
  address: z.string(),
  createdAt: z.string(),
  usedAt: z.string(),
  endsAt: z.string(),
})

export type SessionBody = z.infer<typeof sessionBody>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/account/sessions',
  summary: 'List your sessions.',
  response: z.object({ items: z.array(sessionBody) }),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions/:session',
  summary: 'End a session.',
  params: z.object({ session: z.string() }),
  response: 'empty',
  problems: ['not-found'],
})

export const endSessions = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions',
  summary: 'End all other sessions, or all sessions including this one.',
  query: z.strictObject({ scope: z.enum(['others', 'all']) }),
  response: z.object({ ended: z.number() }),
  problems: ['step-up-needed'],
})

export const changeProfile = endpoint({
  method: 'PATCH',
  path: '/api/account/profile',
  summary: 'Update your display name or language.',
  body: z.strictObject({ name: displayName.optional(), language: z.enum(LANGUAGES).optional() }),
  response: 'empty',
  problems: ['values-invalid'],
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/account/password',
  summary: 'Change your password. Ends every other session and revokes API tokens unless `keepApiTokens` is set.',
  body: z.strictObject({
    current: z.string().max(1024),
    next: z.string().max(1024),
    keepApiTokens: z.boolean().default(false),
  }),
  response: 'empty',
  problems: ['login-refused', 'password-weak', 'step-up-needed', 'too-many-requests'],
})

/** The token itself is only returned when it is created. */
const apiTokenBody = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  createdAt: z.string(),
  usedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
})

export type ApiTokenBody = z.infer<typeof apiTokenBody>

export const listTokens = endpoint({
  method: 'GET',
  path: '/api/tokens',
  summary: 'List your API tokens.',
  response: z.object({ items: z.array(apiTokenBody) }),
})

const tokenScopes = z.array(z.string().max(120)).min(1).max(100)

export const createToken = endpoint({
  method: 'POST',
  path: '/api/tokens',
  summary:
    'Create an API token that acts as you with limited permissions. The token is returned only once; you are notified by email.',
  body: z.strictObject({
    name: displayName,
    scopes: tokenScopes,
    expiresAt: z.iso
      .datetime()
      .nullable()
      .optional()
      .describe('When the token expires. Default: 90 days from now; null: never.'),
  }),
  response: z.object({ id: z.string(), token: z.string() }),
  status: 201,
  problems: ['definition-invalid', 'step-up-needed'],
})

export const changeToken = endpoint({
  method: 'PATCH',
  path: '/api/tokens/:token',
  summary:
    'Replace the scopes of an API token. Takes effect with its next request. You can only add permissions you have.',
  params: z.object({ token: z.string() }),
  body: z.strictObject({ scopes: tokenScopes }),
  response: apiTokenBody,
  problems: ['not-found', 'definition-invalid', 'step-up-needed'],
})

export const revokeToken = endpoint({
  method: 'DELETE',
  path: '/api/tokens/:token',
  summary: 'Revoke an API token.',
  params: z.object({ token: z.string() }),
  response: 'empty',
  problems: ['not-found'],
})

export const startImpersonation = endpoint({
  method: 'POST',
  path: '/api/view-as',
  summary:
    'Start viewing as another user (impersonation). Requests in this session that send the user’s ID in the `View-As` header then run as that user, read-only.',
  body: z.strictObject({ user: z.string().max(60) }),
  response: z.object({ user: z.object({ id: z.string(), name: z.string() }) }),
  status: 201,
  problems: ['not-found', 'forbidden', 'view-as-read-only'],
})

export const stopImpersonation = endpoint({
  method: 'DELETE',
  path: '/api/view-as',
  summary: 'Stop viewing as another user (idempotent). Impersonation also ends when the session ends.',
  response: 'empty',
})
