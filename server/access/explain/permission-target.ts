import type { Actor } from '#domain/access/actor.ts'
import type { Permission } from '#domain/access/permission.ts'
import { isPerCollection } from '#domain/access/grant.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { getCollection, hiddenDefinitionFields } from '#server/query/definitions/find-collection.ts'
import { visibleIds } from '#server/access/record-access/authorized-query.ts'
import type { RolesDeps } from '#server/access/rights/access-rules-cache.ts'

export type PermissionTarget = {
  readonly permission: Permission
  readonly collection?: string | null | undefined
  readonly record?: string | null | undefined
  readonly field?: string | null | undefined
}

export type ResolvedTarget = { readonly collection: Collection | null; readonly field?: Field | undefined }

/** Finds a collection by name or ID without checking access. */
export const definitionNamed = (definitions: Definitions, nameOrId: string): Collection | undefined =>
  definitions.byName.get(nameOrId) ?? definitions.byId.get(nameOrId)

/** Finds a field by name or ID without checking access. */
export const fieldNamed = (
  collection: Collection | undefined,
  nameOrId: string | null | undefined,
): Field | undefined =>
  collection?.fields.find(({ name }) => name === nameOrId) ?? collection?.fields.find(({ id }) => id === nameOrId)

export function resolveTarget(
  definitions: Definitions,
  { permission, ...requested }: PermissionTarget,
): ResolvedTarget {
  const { collection = null, field = null, record = null } = requested
  if (collection === null) {
    if ((field ?? record) !== null) throw new Problem('invalid-request', 'Specify the collection as well.')
    return { collection: null }
  }
  const found = definitionNamed(definitions, collection)
  if (!found) throw new Problem('collection-not-found', `There is no collection “${collection}”.`)
  if (!isPerCollection(permission)) {
    throw new Problem('invalid-request', `“${permission}” applies to the whole workspace, not to a collection.`)
  }
  const own = fieldNamed(found, field)
  if (field !== null && !own) throw noField(field, found)
  return { collection: found, field: own }
}

const noField = (field: string, { label }: Collection): Problem =>
  new Problem('not-found', `There is no field “${field}” in ${label}.`)

type PermissionActor = { readonly actor: Actor; readonly definitions: Definitions }

/** Reports a collection that the actor can't see as missing. */
export function assertCollectionVisible(
  { actor, definitions }: PermissionActor,
  { collection }: PermissionTarget,
): void {
  if (collection !== undefined && collection !== null) getCollection(definitions, actor, 'records:read', collection)
}

/** Users who request an explanation of their own access must not learn that hidden objects exist. */
export async function assertTargetVisible(
  deps: RolesDeps,
  queryActor: PermissionActor,
  requested: PermissionTarget,
  { field }: ResolvedTarget,
): Promise<void> {
  const { collection: name, record } = requested
  if (name === undefined || name === null) return
  const { actor, definitions } = queryActor
  const { collection } = getCollection(definitions, actor, 'records:read', name)
  if (field && hiddenDefinitionFields(actor, collection).has(field.id)) throw noField(requested.field ?? '', collection)
  if (record === undefined || record === null) return
  const visible = await visibleIds(deps, { actor, definitions }, collection.id, [record])
  if (!visible.has(record)) throw noRecord(record, collection)
}

/** The record doesn't exist, or the actor must not learn that it does. */
export const noRecord = (record: string, { label }: Collection): Problem =>
  new Problem('record-not-found', `There is no record ${record} in ${label}.`)
