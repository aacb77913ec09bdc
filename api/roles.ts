import { z } from 'zod'
import { PERMISSIONS } from '#domain/access/permission.ts'
import { MAX_EXAMPLES, MAX_GRANTS } from '#domain/access/policy.ts'
import { displayName } from './account.ts'
import { endpoint } from './endpoint.ts'
import { filterInput, filterTree } from './filters.ts'

const permission = z.enum(PERMISSIONS)
const fieldNames = z.array(z.string().max(120)).max(500)

/** Either only the listed fields, or all fields except those listed. */
const fieldSet = z.union([z.strictObject({ only: fieldNames }), z.strictObject({ except: fieldNames })])

/** Default values by field ID; markers such as `@me` are resolved at record creation. */
/** Literal value or marker such as `@me`. */
export const presetValue = z.json()
const presets = z.record(z.string(), presetValue)

/** Stored grant; refers to collections, fields and options by ID. */
const grantBody = z.object({
  id: z.string(),
  permission,
  /** null: all collections, including those created later. */
  collection: z.string().nullable(),
  /** null: all records. */
  where: filterTree.nullable(),
  /** null: all fields. */
  fields: fieldSet.nullable(),
  presets: presets.nullable(),
  fault: z
    .string()
    .optional()
    .describe(
      'Why part of the grant matches nothing. Set only if the grant uses a condition that is no longer supported.',
    ),
})

/** Accepts names or IDs, and a condition as text or a tree. A grant without an ID is new. */
const grantInput = z.strictObject({
  id: z.string().max(60).optional(),
  permission,
  collection: z.string().max(120).nullable(),
  where: filterInput.nullish(),
  fields: fieldSet.nullish(),
  presets: presets.nullish(),
})

const who = z.union([z.strictObject({ user: z.string().max(60) }), z.strictObject({ role: z.string().max(60) })])

/** For example “Ana can't read Salary in People”. */
const exampleBody = z.object({
  id: z.string(),
  who,
  may: z.boolean(),
  permission,
  collection: z.string().nullable(),
  field: z.string().nullable(),
  record: z.string().nullable(),
  /** `stale`: the example refers to a deleted object. */
  state: z.enum(['holds', 'broken', 'stale']),
})

/** An entry without an ID is new. */
const exampleInput = z.strictObject({
  id: z.string().max(60).optional(),
  who,
  may: z.boolean(),
  permission,
  collection: z.string().max(120).nullable(),
  field: z.string().max(120).nullish(),
  record: z.string().max(60).nullish(),
})

const roleBody = z.object({
  id: z.string(),
  name: z.string(),
  about: z.string(),
  policies: z.array(z.string()),
  /** True for the owner role, which can't be changed. */
  isFixed: z.boolean(),
  users: z.number(),
  version: z.number(),
})

const policyBody = z.object({
  id: z.string(),
  name: z.string(),
  about: z.string(),
  grants: z.array(grantBody),
  examples: z.array(exampleBody),
  roles: z.array(z.string()),
  version: z.number(),
})

export type RoleBody = z.infer<typeof roleBody>
export type PolicyBody = z.infer<typeof policyBody>
export type GrantInput = z.infer<typeof grantInput>
export type ExampleInput = z.infer<typeof exampleInput>

const name = displayName
const about = z.string().trim().max(500)
const policyIds = z.array(z.string().max(60)).max(100)
const version = z.int().optional()
const roleParams = z.object({ role: z.string() })
const policyParams = z.object({ policy: z.string() })

export const listRoles = endpoint({
  method: 'GET',
  path: '/api/roles',
  summary: 'List roles with their policies and member counts.',
  response: z.object({ items: z.array(roleBody) }),
})

export const createRole = endpoint({
  method: 'POST',
  path: '/api/roles',
  summary: 'Create a role: a named set of policies.',
  body: z.strictObject({ name, about: about.default(''), policies: policyIds }),
  response: roleBody,
  status: 201,
  problems: ['name-taken', 'definition-invalid', 'example-broken', 'step-up-needed'],
})

export const readRole = endpoint({
  method: 'GET',
  path: '/api/roles/:role',
  summary: 'Get a role.',
  params: roleParams,
  response: roleBody,
  problems: ['not-found'],
})

export const changeRole = endpoint({
  method: 'PATCH',
  path: '/api/roles/:role',
  summary: 'Update a role’s name, description or policies. Fails if it would break a saved example of any policy.',
  params: roleParams,
  body: z.strictObject({ name: name.optional(), about: about.optional(), policies: policyIds.optional(), version }),
  response: roleBody,
  problems: ['not-found', 'name-taken', 'definition-invalid', 'example-broken', 'version-conflict', 'step-up-needed'],
})

export const deleteRole = endpoint({
  method: 'DELETE',
  path: '/api/roles/:role',
  summary: 'Delete a role. Fails if it is still assigned to users; the error lists them.',
  params: roleParams,
  response: 'empty',
  problems: ['not-found', 'in-use', 'definition-invalid', 'step-up-needed'],
})

export const listPolicies = endpoint({
  method: 'GET',
  path: '/api/policies',
  summary: 'List policies with their grants and examples.',
  response: z.object({ items: z.array(policyBody) }),
})

export const createPolicy = endpoint({
  method: 'POST',
  path: '/api/policies',
  summary: 'Create a policy: a named set of grants, with examples that must pass.',
  body: z.strictObject({
    name,
    about: about.default(''),
    grants: z.array(grantInput).max(MAX_GRANTS),
    examples: z.array(exampleInput).max(MAX_EXAMPLES).default([]),
  }),
  response: policyBody,
  status: 201,
  problems: ['name-taken', 'definition-invalid', 'example-broken', 'step-up-needed'],
})

export const readPolicy = endpoint({
  method: 'GET',
  path: '/api/policies/:policy',
  summary: 'Get a policy.',
  params: policyParams,
  response: policyBody,
  problems: ['not-found'],
})

export const changePolicy = endpoint({
  method: 'PATCH',
  path: '/api/policies/:policy',
  summary: 'Update a policy’s grants or examples. Fails if it would break a saved example of any policy.',
  params: policyParams,
  body: z.strictObject({
    name: name.optional(),
    about: about.optional(),
    grants: z.array(grantInput).max(MAX_GRANTS).optional(),
    examples: z.array(exampleInput).max(MAX_EXAMPLES).optional(),
    version,
  }),
  response: policyBody,
  problems: ['not-found', 'name-taken', 'definition-invalid', 'example-broken', 'version-conflict', 'step-up-needed'],
})

export const deletePolicy = endpoint({
  method: 'DELETE',
  path: '/api/policies/:policy',
  summary: 'Delete a policy. Fails if roles still use it; the error lists them.',
  params: policyParams,
  response: 'empty',
  problems: ['not-found', 'in-use', 'step-up-needed'],
})

const named = z.object({ id: z.string(), name: z.string() })

/** Grant and its source policy; null for the owner role. */
const grantPath = z.object({
  role: named,
  policy: named.nullable(),
  grant: z.string().nullable(),
  where: filterTree.nullable(),
})

/**
 * `some`: allowed in records that match `where` (null if hidden). Reasons for `no`: `no-grant`, `condition` (granted
 * for other records), `field` (not granted for this field), `token` (outside the token's scopes), `needs-read` (the
 * record isn't readable).
 */
const explanation = z.object({
  may: z.enum(['yes', 'some', 'no']),
  because: z.enum(['no-grant', 'condition', 'field', 'token', 'needs-read']).nullable(),
  where: filterTree.nullable(),
  /** Grants that decided the result; for `no`, the closest grants. */
  by: z.array(grantPath),
})

export type ExplanationBody = z.infer<typeof explanation>

export const explainRights = endpoint({
  method: 'POST',
  path: '/api/explain',
  summary: 'Explain access: whether a user or role has a permission, and why. You can always explain your own access.',
  body: z.strictObject({
    user: z.string().max(60).optional(),
    /** Explains access for this role alone, instead of for a user. */
    role: z.string().max(60).optional(),
    permission,
    collection: z.string().max(120).nullish(),
    record: z.string().max(60).nullish(),
    field: z.string().max(120).nullish(),
  }),
  response: explanation,
  problems: ['not-found', 'collection-not-found', 'record-not-found', 'forbidden', 'invalid-request'],
})
