import { z } from 'zod'
import { ACCESS_ADDITIONS } from '#domain/access/added-access.ts'
import { PERMISSIONS } from '#domain/access/permission.ts'
import { MAX_ATTRIBUTE_LENGTH, MAX_ATTRIBUTE_VALUES, USER_STATUSES } from '#domain/access/user.ts'
import { MAX_ROLES_OF_A_USER } from '#domain/access/policy.ts'
import { displayName } from './account.ts'
import { endpoint, wholeNumber } from './endpoint.ts'
import { rememberInput, tokenResponse } from './sessions.ts'
import { personBody } from './records.ts'

const text = z.string().trim().max(MAX_ATTRIBUTE_LENGTH)

/** An empty text or list removes an attribute. */
const profileInput = z.record(z.string(), z.union([text, z.array(text).max(MAX_ATTRIBUTE_VALUES)]))

const roleIds = z.array(z.string().max(60)).min(1).max(MAX_ROLES_OF_A_USER)

const userBody = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  roles: z.array(z.object({ id: z.string(), name: z.string() })),
  profile: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  createdAt: z.string(),
  /** A deactivated user can't sign in; all their sessions and tokens are revoked. */
  isDisabled: z.boolean(),
  hasSecondFactor: z.boolean(),
  isInvited: z.boolean(),
  /** Last session activity, accurate to about a minute; null if the user never signed in. */
  lastSeenAt: z.string().nullable(),
})

export type UserBody = z.infer<typeof userBody>

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/users',
  summary: 'List users and invitations, sorted by name, with all roles and user attributes.',
  query: z.strictObject({
    /** Search text; every word must occur in the name or email address. */
    search: z.string().max(200).optional(),
    role: z
      .string()
      .regex(/^[\w-]{1,60}$/)
      .optional(),
    standing: z.enum(USER_STATUSES).optional(),
    cursor: z.string().max(2000).optional(),
    perPage: wholeNumber.pipe(z.number().min(1).max(500)).default(50),
  }),
  response: z.object({
    items: z.array(userBody),
    /** Number of matching users; `allUsers` is the total number of users. */
    total: z.number(),
    allUsers: z.number(),
    nextCursor: z.string().nullable(),
    /** `mayGive`: the caller may assign and remove the role. */
    roles: z.array(z.object({ id: z.string(), name: z.string(), about: z.string(), mayGive: z.boolean() })),
    profileFields: z.array(z.object({ name: z.string(), label: z.string(), many: z.boolean() })),
  }),
  problems: ['invalid-cursor'],
})

export const readAddedAccess = endpoint({
  method: 'GET',
  path: '/api/users/added-access',
  summary:
    'Get the access a user would gain from a role in addition to their other roles. Only for roles you can assign.',
  query: z.strictObject({
    role: z.string().max(60),
    /** Comma-separated IDs of the user's other roles. */
    to: z.string().max(2000),
  }),
  response: z.object({
    /**
     * Permissions that the user would gain, or whose scope would grow. A null collection means all collections, or the
     * workspace.
     */
    items: z.array(
      z.object({
        permission: z.enum(PERMISSIONS),
        collection: z.string().nullable(),
        adds: z.enum(ACCESS_ADDITIONS),
      }),
    ),
    /** Whether the user would also gain permissions in collections that you can’t see. */
    addsToHidden: z.boolean(),
  }),
  problems: ['definition-invalid', 'forbidden'],
})

export type AddedAccessBody = z.infer<typeof readAddedAccess.response>

export const inviteUser = endpoint({
  method: 'POST',
  path: '/api/users',
  summary: 'Invite a user by email. The link works once and expires after 48 hours.',
  body: z.strictObject({
    email: z.email().max(254),
    name: displayName,
    roles: roleIds,
    profile: profileInput.optional(),
  }),
  response: userBody,
  status: 201,
  problems: ['name-taken', 'values-invalid', 'definition-invalid', 'forbidden', 'example-broken', 'step-up-needed'],
})

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/users/:user/invitation',
  summary: 'Resend an invitation. Older links stop working.',
  params: z.object({ user: z.string() }),
  response: 'empty',
  problems: ['not-found'],
})

export const changeUser = endpoint({
  method: 'PATCH',
  path: '/api/users/:user',
  summary: 'Update a user’s roles or attributes, or deactivate or reactivate them. The last owner can’t be changed.',
  params: z.object({ user: z.string() }),
  body: z.strictObject({
    roles: roleIds.optional(),
    profile: profileInput.optional(),
    isDisabled: z.boolean().optional(),
  }),
  response: userBody,
  problems: ['not-found', 'definition-invalid', 'forbidden', 'example-broken', 'step-up-needed'],
})

export const endSessionsOf = endpoint({
  method: 'DELETE',
  path: '/api/users/:user/sessions',
  summary: 'End all sessions of a user. Their API tokens keep working; deactivate the user to revoke those too.',
  params: z.object({ user: z.string() }),
  response: z.object({ ended: z.number() }),
  problems: ['not-found', 'forbidden', 'step-up-needed'],
})

export const readInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/read',
  summary: 'Get an invitation by the code in its link.',
  body: z.strictObject({ code: z.string().max(200) }),
  response: z.object({ email: z.string(), name: z.string() }),
  problems: ['gone', 'too-many-requests'],
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/accept',
  summary: 'Accept an invitation: set a name and password, and sign in.',
  body: z.strictObject({
    code: z.string().max(200),
    name: displayName,
    password: z.string().max(1024),
    remember: rememberInput,
  }),
  response: tokenResponse,
  status: 201,
  problems: ['gone', 'values-invalid', 'login-refused', 'password-weak', 'too-many-requests', 'origin-refused'],
})

export const requestReset = endpoint({
  method: 'POST',
  path: '/api/auth/password-reset',
  summary: 'Request a password reset link by email. The response is the same whether or not the account exists.',
  body: z.strictObject({ email: z.string().min(1).max(254) }),
  response: 'empty',
  problems: ['too-many-requests', 'origin-refused'],
})

export const resetPassword = endpoint({
  method: 'PUT',
  path: '/api/auth/password-reset',
  summary: 'Set a new password with the code from the link. Ends every session of the account.',
  body: z.strictObject({ code: z.string().max(200), password: z.string().max(1024) }),
  response: 'empty',
  problems: ['gone', 'password-weak', 'too-many-requests', 'origin-refused'],
})

/** Email that is pending, failed, or was created while no SMTP server was configured. */
const outboxMail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  at: z.string(),
  /** `given-up`: the links in the email expired before it could be sent. */
  state: z.enum(['waiting', 'sent', 'failed', 'given-up']),
  failure: z.string().nullable(),
})

export const listOutbox = endpoint({
  method: 'GET',
  path: '/api/outbox',
  summary: 'List outgoing emails, newest first.',
  response: z.object({ items: z.array(outboxMail), hasServer: z.boolean() }),
  problems: ['step-up-needed'],
})

export const listPeople = endpoint({
  method: 'GET',
  path: '/api/people',
  summary:
    'List the users who can be selected in a user field, sorted by name. Deactivated users are left out. Emails are returned only to users who can manage users.',
  query: z.strictObject({
    search: z.string().max(200).optional(),
    page: wholeNumber.pipe(z.number().min(1)).default(1),
    perPage: wholeNumber.pipe(z.number().min(1).max(500)).default(50),
  }),
  response: z.object({
    items: z.array(personBody.extend({ email: z.string().optional() })),
    page: z.number(),
    perPage: z.number(),
    hasMore: z.boolean(),
    total: z.number(),
  }),
})

/** In characters. */
export const MAX_PERSON_TEXT = 320

export const MAX_PERSON_TEXTS = 500

export const findPeople = endpoint({
  method: 'POST',
  path: '/api/people/find',
  summary: 'Resolve strings to users using the same rules as imports: by ID, then email, then unique display name.',
  body: z.strictObject({ texts: z.array(z.string().max(MAX_PERSON_TEXT)).min(1).max(MAX_PERSON_TEXTS) }),
  response: z.object({
    /** One result per input text, in the same order. */
    items: z.array(
      z.object({
        /** null if the user is unknown or deactivated. */
        person: personBody.nullable(),
        /** True if several users, including deactivated ones, have this display name. */
        isAmbiguous: z.boolean(),
      }),
    ),
  }),
})
