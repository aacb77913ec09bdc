import type { Actor } from '#domain/access/actor.ts'
import { decide, hasPermission } from '#domain/access/decide.ts'
import type { Policy, PolicyGrant, Role } from '#domain/access/policy.ts'
import { type AuditChange, type AuditExtent, policyChanges, roleChanges } from '#domain/audit/audit-changes.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { filterByName } from '#domain/query/filter/saved-filter.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { hiddenDefinitionFields, maySee } from '#server/query/definitions/find-collection.ts'
import type { StoredAccessRules } from '#server/access/rights/access-rules-cache.ts'
import type { StoredEntry } from './store.ts'

type Shown = { readonly details: StoredEntry['details']; readonly changes: readonly AuditChange[] }

type AuditReader = { readonly actor: Actor; readonly definitions: Definitions; readonly rules: StoredAccessRules }

/**
 * The changes of an entry, for readers who can see the object itself: roles and policies for role managers,
 * definitions for collection managers. Others get no changes.
 */
export function shownChanges(
  entry: Pick<StoredEntry, 'kind' | 'details' | 'collectionId'>,
  reader: AuditReader,
): Shown {
  const { kind, details } = entry
  if (kind.startsWith('collection-')) return ofDefinition(entry, reader)
  return /^(?:role|policy)-(?!changed)/.test(kind) ? ofRules(entry, reader) : { details, changes: [] }
}

function ofDefinition(
  { details, collectionId }: Pick<StoredEntry, 'details' | 'collectionId'>,
  { actor, definitions }: AuditReader,
): Shown {
  const { changes, name = '', ...rest } = details
  const id = collectionId ?? ''
  // A deleted collection counts as managed by those who manage all collections.
  const collection = definitions.byId.get(id) ?? { id, fields: [] }
  if (!decide(actor, 'collections:manage', collection).allowed) return { details: rest, changes: [] }
  return { details: { ...rest, name }, changes: parsed<readonly AuditChange[]>(changes) ?? [] }
}

function ofRules({ kind, details }: Pick<StoredEntry, 'kind' | 'details'>, reader: AuditReader): Shown {
  const { was, is, ...rest } = details
  if (!hasPermission(reader.actor, 'roles:manage')) return { details: rest, changes: [] }
  const policyName = (id: string) => reader.rules.saved.get(id)?.name ?? id
  const changes = kind.startsWith('role-')
    ? roleChanges(parsed<Role>(was), parsed<Role>(is), policyName)
    : policyChanges(parsed<Policy>(was), parsed<Policy>(is), grantNames(reader))
  return { details, changes }
}

const parsed = <Value>(json: string | undefined): Value | null =>
  json === undefined || json === '' ? null : (JSON.parse(json) as Value)

function grantNames({ actor, definitions }: AuditReader) {
  const seen = (id: string | null) => {
    const collection = definitions.byId.get(id ?? '')
    return collection && maySee(actor, collection) ? collection : undefined
  }
  /** Field names for readers who may know all fields of the collection; others get IDs, as in the policy itself. */
  const named = (id: string | null) => {
    const collection = seen(id)
    return collection && hiddenDefinitionFields(actor, collection).size === 0 ? collection : undefined
  }
  const labels = (grant: PolicyGrant, ids: readonly string[]): string[] => {
    const fields = named(grant.collection)?.fields ?? []
    return ids.map((id) => fields.find((field) => field.id === id)?.label ?? id)
  }
  const filterText = (where: Filter, collection: Collection | undefined): string => {
    const text = printFilter(collection ? filterByName(where, { collection, collectionOf: named }) : where)
    return text.length > MAX_FILTER_TEXT ? `${text.slice(0, MAX_FILTER_TEXT)}…` : text
  }
  return {
    collection: ({ collection }: PolicyGrant): string =>
      collection === null ? '' : (seen(collection)?.label ?? collection),
    extent: (grant: PolicyGrant): AuditExtent => {
      const { where, fields, presets } = grant
      return {
        ...(where && { where: filterText(where, named(grant.collection)) }),
        ...(fields && 'only' in fields && { only: labels(grant, fields.only) }),
        ...(fields && 'except' in fields && { except: labels(grant, fields.except) }),
        ...(presets && { presets: labels(grant, Object.keys(presets)) }),
      }
    },
  }
}

const MAX_FILTER_TEXT = 500
