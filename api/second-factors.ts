import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { FACTOR_METHODS, rememberInput, tokenResponse } from './sessions.ts'

export const PASSKEY_NAME_MAX = 100

const webauthnOptions = z.record(z.string(), z.unknown())

const webauthnResponse = z.looseObject({ id: z.string().max(2048), response: z.looseObject({}) })

const passkeyName = z.string().trim().min(1).max(PASSKEY_NAME_MAX)

const proof = z.union([
  z.strictObject({ method: z.literal('totp'), code: z.string().max(20) }),
  z.strictObject({ method: z.literal('recovery-code'), code: z.string().max(40) }),
  z.strictObject({ method: z.literal('passkey'), response: webauthnResponse }),
])

export type FactorProof = z.infer<typeof proof>

export const completeChallenge = endpoint({
  method: 'POST',
  path: '/api/auth/challenge',
  summary: 'Complete a sign-in with a second factor, using the challenge from login.',
  body: z.strictObject({ id: z.string().max(100), proof }),
  response: tokenResponse,
  problems: ['login-refused', 'too-many-requests', 'gone', 'origin-refused'],
})

export const passkeyChallengeOptions = endpoint({
  method: 'POST',
  path: '/api/auth/challenge/passkey',
  summary: 'Get the WebAuthn options for the second step of a sign-in.',
  body: z.strictObject({ id: z.string().max(100) }),
  response: webauthnOptions,
  problems: ['gone'],
})

export const passkeyLoginOptions = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/options',
  summary: 'Start a passwordless sign-in with a passkey. No email is required.',
  response: z.object({ id: z.string(), options: webauthnOptions }),
})

export const passkeyLogin = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/login',
  summary: 'Sign in with a passkey.',
  body: z.strictObject({ id: z.string().max(100), response: webauthnResponse, remember: rememberInput }),
  response: tokenResponse,
  problems: ['login-refused', 'gone', 'too-many-requests', 'origin-refused'],
})

export const readFactors = endpoint({
  method: 'GET',
  path: '/api/account/factors',
  summary: 'List your second factors.',
  response: z.object({
    /** False for users who can only sign in with an identity provider. */
    hasPassword: z.boolean(),
    totp: z.boolean(),
    recoveryCodesLeft: z.number(),
    passkeys: z.array(
      z.object({ id: z.string(), name: z.string(), createdAt: z.string(), usedAt: z.string().nullable() }),
    ),
    /** Time of the last authentication; changing security settings requires one in the past 15 minutes. */
    provenAt: z.string(),
    /** Seconds until re-authentication is required; 0 if it is required now. */
    provenForSeconds: z.number(),
  }),
})

export const startTotp = endpoint({
  method: 'POST',
  path: '/api/account/factors/totp',
  summary: 'Create a secret for an authenticator app. To turn on the app, confirm the secret with a code.',
  response: z.object({ secret: z.string(), uri: z.string() }),
  problems: ['step-up-needed'],
})

export const confirmTotp = endpoint({
  method: 'PUT',
  path: '/api/account/factors/totp',
  summary: 'Turn on the authenticator app with a code. Returns recovery codes the first time.',
  body: z.strictObject({ code: z.string().max(20) }),
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  problems: ['login-refused', 'gone', 'step-up-needed', 'too-many-requests'],
})

export const removeTotp = endpoint({
  method: 'DELETE',
  path: '/api/account/factors/totp',
  summary: 'Turn off the authenticator app.',
  response: 'empty',
  problems: ['password-weak', 'step-up-needed'],
})

export const newRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/account/factors/recovery-codes',
  summary: 'Create ten new recovery codes. The old ones stop working.',
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  problems: ['forbidden', 'step-up-needed'],
})

export const passkeyRegistrationOptions = endpoint({
  method: 'POST',
  path: '/api/account/factors/passkeys/options',
  summary: 'Get the WebAuthn options to add a passkey.',
  response: webauthnOptions,
  problems: ['step-up-needed'],
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/account/factors/passkeys',
  summary: 'Add a passkey.',
  body: z.strictObject({ name: passkeyName, response: webauthnResponse }),
  response: z.object({ id: z.string(), recoveryCodes: z.array(z.string()) }),
  status: 201,
  problems: ['login-refused', 'name-taken', 'step-up-needed'],
})

export const renamePasskey = endpoint({
  method: 'PATCH',
  path: '/api/account/factors/passkeys/:passkey',
  summary: 'Rename a passkey.',
  params: z.object({ passkey: z.string() }),
  body: z.strictObject({ name: passkeyName }),
  response: 'empty',
  problems: ['not-found'],
})

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/account/factors/passkeys/:passkey',
  summary: 'Remove a passkey.',
  params: z.object({ passkey: z.string() }),
  response: 'empty',
  problems: ['not-found', 'password-weak', 'step-up-needed'],
})

export const removeFactorsOf = endpoint({
  method: 'DELETE',
  path: '/api/users/:user/factors',
  summary: 'Remove all second factors of a user who lost them, and end all their sessions.',
  params: z.object({ user: z.string() }),
  response: 'empty',
  problems: ['not-found', 'forbidden', 'step-up-needed'],
})

export const stepUpOptions = endpoint({
  method: 'POST',
  path: '/api/auth/step-up/options',
  summary: 'List the methods you can use to re-authenticate for sensitive settings.',
  response: z.object({
    methods: z.array(z.enum(['password', ...FACTOR_METHODS])),
    passkey: webauthnOptions.nullable(),
    /** Identity providers available for re-authentication; only for users without a second factor. */
    providers: z.array(z.object({ name: z.string(), label: z.string() })),
  }),
})

export const stepUp = endpoint({
  method: 'POST',
  path: '/api/auth/step-up',
  summary: 'Re-authenticate to access security settings for 15 minutes.',
  body: z.strictObject({
    proof: z.union([z.strictObject({ method: z.literal('password'), password: z.string().max(1024) }), proof]),
  }),
  response: 'empty',
  problems: ['login-refused', 'too-many-requests'],
})
