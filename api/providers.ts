import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { tokenAnswer } from './sessions.ts'

export const listProviders = endpoint({
  method: 'GET',
  path: '/api/auth/providers',
  summary: 'The identity providers one can sign in with.',
  answer: z.object({ items: z.array(z.object({ name: z.string(), label: z.string() })) }),
})

export const beginProviderLogin = endpoint({
  method: 'POST',
  path: '/api/auth/providers/:provider/begin',
  summary: 'Where to go to sign in with a provider; also links it to the account one is signed in with.',
  params: z.object({ provider: z.string().max(60) }),
  body: z.strictObject({
    returnTo: z.string().max(2000).optional(),
    purpose: z.enum(['sign-in', 'link']).default('sign-in'),
  }),
  answer: z.object({ url: z.string() }),
  problems: ['not-found', 'not-ready', 'step-up-needed'],
})

export const finishProviderLogin = endpoint({
  method: 'POST',
  path: '/api/auth/providers/finish',
  summary: 'The callback page hands over the address it was called with.',
  body: z.strictObject({ url: z.string().max(8000) }),
  answer: z.object({ tokens: tokenAnswer.nullable(), returnTo: z.string().nullable() }),
  problems: ['login-refused', 'gone', 'not-ready', 'origin-refused'],
})
