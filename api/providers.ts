import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { challengeResponse, rememberInput, tokenResponse } from './sessions.ts'

export const PROVIDER_PURPOSES = ['sign-in', 'link', 'prove'] as const

export const listProviders = endpoint({
  method: 'GET',
  path: '/api/auth/providers',
  summary: 'List the identity providers for sign-in.',
  response: z.object({ items: z.array(z.object({ name: z.string(), label: z.string() })) }),
})

export const startProviderLogin = endpoint({
  method: 'POST',
  path: '/api/auth/providers/:provider/begin',
  summary: 'Get the URL to sign in with an identity provider, link it to your account, or re-authenticate.',
  params: z.object({ provider: z.string().max(60) }),
  body: z.strictObject({
    returnTo: z.string().max(2000).optional(),
    purpose: z.enum(PROVIDER_PURPOSES).default('sign-in'),
    remember: rememberInput,
  }),
  response: z.object({ url: z.string() }),
  problems: [
    'not-found',
    'forbidden',
    'not-ready',
    'step-up-needed',
    'origin-refused',
    'too-many-requests',
    'token-missing',
  ],
})

/** For `sign-in`, either `tokens` or the second-factor `challenge` is set; for other purposes both are null. */
const providerLoginResult = z.object({
  purpose: z.enum(PROVIDER_PURPOSES),
  tokens: tokenResponse.nullable(),
  challenge: challengeResponse.shape.challenge.nullable(),
  returnTo: z.string().nullable(),
})

export const finishProviderLogin = endpoint({
  method: 'POST',
  path: '/api/auth/providers/finish',
  summary: 'Complete the identity provider flow with the callback URL.',
  body: z.strictObject({ url: z.string().max(8000) }),
  response: providerLoginResult,
  problems: ['login-refused', 'gone', 'not-ready', 'origin-refused', 'session-ended'],
})

export const listLinkedProviders = endpoint({
  method: 'GET',
  path: '/api/account/providers',
  summary: 'List the identity providers linked to your account.',
  response: z.object({
    items: z.array(z.object({ name: z.string(), label: z.string(), linkedAt: z.string() })),
  }),
})

export const unlinkProvider = endpoint({
  method: 'DELETE',
  path: '/api/account/providers/:provider',
  summary: 'Unlink an identity provider from your account.',
  params: z.object({ provider: z.string().max(60) }),
  response: 'empty',
  problems: ['not-found', 'forbidden', 'step-up-needed'],
})
