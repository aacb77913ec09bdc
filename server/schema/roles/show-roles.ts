import type { PolicyBody, RoleBody } from '#api/roles.ts'
import { savedGrantFault } from '#domain/access/check-policy.ts'
import { type ExampleContext, evaluateExample } from '#domain/access/explain.ts'
import { OWNER, type Policy, type PolicyGrant, type Role } from '#domain/access/policy.ts'
import type { RoleId } from '#domain/shared/ids.ts'
import type { Json } from '#domain/shared/json.ts'

export const showRole = (role: Role, holders: ReadonlyMap<RoleId, number>): RoleBody => ({
  id: role.id,
  name: role.name,
  about: role.about,
  policies: [...role.policies],
  isFixed: role.id === OWNER,
  users: holders.get(role.id) ?? 0,
  version: role.version,
})

export const showPolicy = (policy: Policy, context: ExampleContext, collectionOf: CollectionOf): PolicyBody => ({
  id: policy.id,
  name: policy.name,
  about: policy.about,
  grants: policy.grants.map((grant) => showGrant(grant, savedGrantFault(grant, collectionOf))),
  examples: policy.examples.map((example) => ({ ...example, state: evaluateExample(example, context).type })),
  roles: [...context.rules.roles.values()].filter(({ policies }) => policies.includes(policy.id)).map(({ id }) => id),
  version: policy.version,
})

type CollectionOf = Parameters<typeof savedGrantFault>[1]

const showGrant = (
  { id, permission, collection, where, fields, presets }: PolicyGrant,
  fault: string | undefined,
): PolicyBody['grants'][number] => ({
  id,
  permission,
  collection,
  where: where ?? null,
  fields: fields === undefined ? null : 'only' in fields ? { only: [...fields.only] } : { except: [...fields.except] },
  // Values are plain JSON, although the type doesn't say so for documents.
  presets: presets === undefined ? null : (presets as { [field: string]: Json } as never),
  ...(fault !== undefined && { fault }),
})
