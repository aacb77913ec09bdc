import { z } from 'zod'
import { MAX_QUOTA_BYTES } from '#domain/uploads/quota.ts'
import { MAX_ROLES } from '#domain/access/role.ts'
import { MAX_USER_ATTRIBUTES } from '#domain/access/user-attributes.ts'
import { endpoint } from './endpoint.ts'

const lifetime = z.strictObject({ idleMinutes: z.int(), longestMinutes: z.int() })

/** How long sessions last, and how many there may be; `remembered`: of those that outlive their browser. */
const sessionPolicyBody = z.strictObject({
  remembered: lifetime,
  notRemembered: lifetime,
  mostSessions: z.int().nullable().describe('of one user at once; null: no limit'),
})

export const readSessionPolicy = endpoint({
  method: 'GET',
  path: '/api/workspace/session-policy',
  summary: 'How long sessions last, and how many one user may have at once.',
  answer: sessionPolicyBody,
})

export const changeSessionPolicy = endpoint({
  method: 'PATCH',
  path: '/api/workspace/session-policy',
  summary: 'Shorten the sessions of everybody, those that are open included, or limit how many there may be.',
  body: z.strictObject({
    remembered: lifetime.partial().optional(),
    notRemembered: lifetime.partial().optional(),
    mostSessions: sessionPolicyBody.shape.mostSessions.optional(),
  }),
  answer: sessionPolicyBody,
  problems: ['values-invalid', 'step-up-needed'],
})

/** Who must sign in with a second factor. */
const secondFactorPolicyBody = z.strictObject({
  everyone: z.boolean(),
  roles: z
    .array(z.string())
    .max(MAX_ROLES)
    .describe('ids of roles whose members must have one; not used with `everyone`'),
})

export const readSecondFactorPolicy = endpoint({
  method: 'GET',
  path: '/api/workspace/second-factor',
  summary: 'Get who must sign in with a second factor.',
  answer: secondFactorPolicyBody,
})

export const changeSecondFactorPolicy = endpoint({
  method: 'PUT',
  path: '/api/workspace/second-factor',
  summary:
    'Require a second factor of everyone or of some roles. Users without one can only set one up; their API tokens stop working until then.',
  body: secondFactorPolicyBody,
  answer: secondFactorPolicyBody,
  problems: ['values-invalid', 'step-up-needed'],
})

/** What the workspace notes about its people, for conditions such as `region = @me.region`. */
const profileFields = z
  .array(
    z.strictObject({
      name: z
        .string()
        .regex(
          /^[a-z][a-z0-9_]{0,59}$/,
          'A name starts with a small letter and has only letters, digits and underscores.',
        ),
      label: z.string().trim().min(1).max(120),
      many: z.boolean(),
    }),
  )
  .max(MAX_USER_ATTRIBUTES)

export const readProfileFields = endpoint({
  method: 'GET',
  path: '/api/workspace/profile-fields',
  summary: 'What the workspace notes about its people; each name can stand behind `@me.` in a condition.',
  answer: z.object({ items: profileFields }),
})

export const changeProfileFields = endpoint({
  method: 'PUT',
  path: '/api/workspace/profile-fields',
  summary: 'Say what is noted about people. One that a policy depends on cannot be left out.',
  body: z.strictObject({ items: profileFields }),
  answer: z.object({ items: profileFields }),
  problems: ['definition-invalid', 'in-use', 'step-up-needed'],
})

const timeZoneBody = z.strictObject({ timeZone: z.string().describe('an IANA name such as `Europe/Vienna`') })

export const readTimeZone = endpoint({
  method: 'GET',
  path: '/api/workspace/time-zone',
  summary: 'The time zone by which grants, validation rules and workflow guards read `@today`.',
  answer: timeZoneBody,
})

export const changeTimeZone = endpoint({
  method: 'PATCH',
  path: '/api/workspace/time-zone',
  summary: 'Change the time zone of the workspace. Only owners may: it decides what grants with `@today` open.',
  body: z.strictObject({ timeZone: z.string().min(1).max(64) }),
  answer: timeZoneBody,
  problems: ['definition-invalid', 'example-broken', 'step-up-needed'],
})

const quotaBytes = z.int().min(0).max(MAX_QUOTA_BYTES).nullable().describe('that files may take; null: no limit')

/** What files take; bytes that several files share count once, and open uploads as what they announced. */
const storageBody = z.strictObject({ usedBytes: z.int(), reservedBytes: z.int(), quotaBytes })

export const readStorage = endpoint({
  method: 'GET',
  path: '/api/workspace/storage',
  summary: 'How many bytes files take in the workspace, and how many they may.',
  answer: storageBody,
})

export const changeStorage = endpoint({
  method: 'PATCH',
  path: '/api/workspace/storage',
  summary: 'Say how many bytes files may take. What is there stays, also when it is more.',
  body: z.strictObject({ quotaBytes }),
  answer: storageBody,
})
