import type { Actor } from '#domain/access/actor.ts'
import { type Decision, decide } from '#domain/access/decide.ts'
import { PERMISSIONS, type Permission } from '#domain/access/permission.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from './definitions-cache.ts'

export type AllowedCollection = {
  readonly collection: Collection
  readonly decision: Extract<Decision, { allowed: true }>
}

/**
 * Finds a collection by name or ID. Throws "not found" if it is hidden, and "forbidden" if it is visible but the
 * permission is missing.
 */
export function getCollection(
  definitions: Definitions,
  actor: Actor,
  permission: Permission,
  nameOrId: string,
): AllowedCollection {
  const collection = definitions.byName.get(nameOrId) ?? definitions.byId.get(nameOrId)
  if (!collection || !maySee(actor, collection)) {
    throw new Problem('collection-not-found', `There is no collection “${nameOrId}”.`)
  }
  const decision = decide(actor, permission, collection)
  if (!decision.allowed)
    throw new Problem('forbidden', `You don’t have permission to do this in ${collection.label}. Ask an owner.`)
  return { collection, decision }
}

export const maySee = (actor: Actor, collection: Collection): boolean =>
  decide(actor, 'records:read', collection).allowed || decide(actor, 'collections:manage', collection).allowed

export const permissionsIn = (actor: Actor, collection: Collection): Permission[] =>
  PERMISSIONS.filter((permission) => decide(actor, permission, collection).allowed)

/** The fields hidden from a reader. Collection managers see the whole definition. */
export function hiddenDefinitionFields(actor: Actor, collection: Collection): ReadonlySet<string> {
  if (decide(actor, 'collections:manage', collection).allowed) return new Set()
  const decision = decide(actor, 'records:read', collection)
  return decision.allowed ? decision.hiddenFields : new Set(collection.fields.map((field) => field.id))
}
