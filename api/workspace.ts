import { z } from 'zod'
import { MAX_QUOTA_BYTES } from '#domain/uploads/quota.ts'
import { MAX_ROLES } from '#domain/access/policy.ts'
import { MAX_USER_ATTRIBUTES } from '#domain/access/user.ts'
import { displayName } from './account.ts'
import { endpoint } from './endpoint.ts'

const lifetime = z.strictObject({ idleMinutes: z.int(), longestMinutes: z.int() })

/** Session lifetimes and limits; `remembered` applies to sessions that survive closing the browser. */
const sessionPolicyBody = z.strictObject({
  remembered: lifetime,
  notRemembered: lifetime,
  mostSessions: z.int().nullable().describe('Maximum concurrent sessions per user; null: no limit.'),
})

export const readSessionPolicy = endpoint({
  method: 'GET',
  path: '/api/workspace/session-policy',
  summary: 'Get the session policy: session length and maximum sessions per user.',
  response: sessionPolicyBody,
})

export const changeSessionPolicy = endpoint({
  method: 'PATCH',
  path: '/api/workspace/session-policy',
  summary: 'Update the session policy for all users. Shorter limits also apply to open sessions.',
  body: z.strictObject({
    remembered: lifetime.partial().optional(),
    notRemembered: lifetime.partial().optional(),
    mostSessions: sessionPolicyBody.shape.mostSessions.optional(),
  }),
  response: sessionPolicyBody,
  problems: ['values-invalid', 'step-up-needed'],
})

const secondFactorPolicyBody = z.strictObject({
  everyone: z.boolean(),
  roles: z
    .array(z.string())
    .max(MAX_ROLES)
    .describe('IDs of roles whose members must have a second factor; ignored if `everyone` is set.'),
})

export const readSecondFactorPolicy = endpoint({
  method: 'GET',
  path: '/api/workspace/second-factor',
  summary: 'Get the second-factor policy: which users must sign in with a second factor.',
  response: secondFactorPolicyBody,
})

export const changeSecondFactorPolicy = endpoint({
  method: 'PUT',
  path: '/api/workspace/second-factor',
  summary:
    'Require a second factor for everyone or for some roles. Until they set one up, users without a second factor can’t do anything else, and their API tokens don’t work.',
  body: secondFactorPolicyBody,
  response: secondFactorPolicyBody,
  problems: ['values-invalid', 'step-up-needed'],
})

/** User attributes for conditions such as `region = @me.region`. */
const profileFields = z
  .array(
    z.strictObject({
      name: z
        .string()
        .regex(
          /^[a-z][a-z0-9_]{0,59}$/,
          'Names start with a lowercase letter and use only letters, digits and underscores.',
        ),
      label: z.string().trim().min(1).max(120),
      many: z.boolean(),
    }),
  )
  .max(MAX_USER_ATTRIBUTES)

export const readProfileFields = endpoint({
  method: 'GET',
  path: '/api/workspace/profile-fields',
  summary: 'List user attributes. Use them in conditions as `@me.<name>`.',
  response: z.object({ items: profileFields }),
})

export const changeProfileFields = endpoint({
  method: 'PUT',
  path: '/api/workspace/profile-fields',
  summary: 'Replace the user attributes. Attributes used by a policy can’t be removed.',
  body: z.strictObject({ items: profileFields }),
  response: z.object({ items: profileFields }),
  problems: ['definition-invalid', 'in-use', 'step-up-needed'],
})

const timeZoneBody = z.strictObject({ timeZone: z.string().describe('IANA time zone name, such as `Europe/Vienna`.') })

export const readTimeZone = endpoint({
  method: 'GET',
  path: '/api/workspace/time-zone',
  summary: 'Get the time zone used for `@today` in grants, validation rules and transition conditions.',
  response: timeZoneBody,
})

export const changeTimeZone = endpoint({
  method: 'PATCH',
  path: '/api/workspace/time-zone',
  summary: 'Set the workspace time zone. Only owners can change it, because grants with `@today` depend on it.',
  body: z.strictObject({ timeZone: z.string().min(1).max(64) }),
  response: timeZoneBody,
  problems: ['definition-invalid', 'example-broken', 'step-up-needed'],
})

const quotaBytes = z.int().min(0).max(MAX_QUOTA_BYTES).nullable().describe('Storage limit in bytes; null: no limit.')

/** Identical files count once; unfinished uploads count at their declared size. */
const storageBody = z.strictObject({ usedBytes: z.int(), reservedBytes: z.int(), quotaBytes })

export const readStorage = endpoint({
  method: 'GET',
  path: '/api/workspace/storage',
  summary: 'Get storage usage and limit in bytes.',
  response: storageBody,
})

export const changeStorage = endpoint({
  method: 'PATCH',
  path: '/api/workspace/storage',
  summary: 'Set the storage limit in bytes. Existing files are kept even if they exceed it.',
  body: z.strictObject({ quotaBytes }),
  response: storageBody,
})

/** If empty, the product name is used. */
export const workspaceName = z.union([
  z.literal(''),
  displayName.refine((name) => name.length <= 60, 'Use at most 60 characters.'),
])

export const MAX_LOGO_BYTES = 1_000_000

const brandingBody = z.strictObject({
  name: z.string().describe('Empty if the workspace has no custom name.'),
  logo: z.string().nullable().describe('URL of the logo, which changes with each new logo; null: no logo.'),
})

export type Branding = z.infer<typeof brandingBody>

export const readBranding = endpoint({
  method: 'GET',
  path: '/api/workspace/branding',
  summary: 'Get the workspace’s name and logo. No authentication required.',
  response: brandingBody,
})

export const changeBranding = endpoint({
  method: 'PATCH',
  path: '/api/workspace/branding',
  summary: 'Update the workspace’s name, shown in browser tabs, in emails and on the sign-in page.',
  body: z.strictObject({ name: workspaceName }),
  response: brandingBody,
})

export const readLogo = endpoint({
  method: 'GET',
  path: '/api/workspace/logo',
  summary: 'Get the workspace’s logo as WebP, at most 256 pixels wide. No authentication required.',
  query: z.strictObject({
    v: z.string().max(64).optional(),
  }),
  response: 'raw',
  contentTypes: { 200: 'image/webp' },
  problems: ['not-found'],
})

export const changeLogo = endpoint({
  method: 'PUT',
  path: '/api/workspace/logo',
  summary: 'Replace the workspace’s logo. Send a PNG, JPEG or WebP of at most 1 MB; it is stored as a small WebP.',
  body: 'stream',
  response: brandingBody,
  problems: ['too-large', 'file-type-refused'],
})

export const removeLogo = endpoint({
  method: 'DELETE',
  path: '/api/workspace/logo',
  summary: 'Remove the workspace’s logo.',
  response: brandingBody,
})
