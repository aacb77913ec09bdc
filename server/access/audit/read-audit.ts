import type { z } from 'zod'
import type { listAudit } from '#api/audit.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide, hasPermission } from '#domain/access/decide.ts'
import type { Policy, PolicyGrant, Role } from '#domain/access/policy.ts'
import {
  type AuditChange,
  type AuditExtent,
  describeAuditChange,
  policyChanges,
  roleChanges,
} from '#domain/audit/audit-changes.ts'
import { kindsOf } from '#domain/audit/audit-kind.ts'
import { auditDetails, type AuditItem, auditSentence, type Named } from '#domain/audit/describe-audit.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { filterByName } from '#domain/query/filter/saved-filter.ts'
import { idLowerBound } from '#domain/shared/ids.ts'
import { foldText } from '#domain/shared/text.ts'
import type { AccessRulesCache, StoredAccessRules } from '#server/access/rights/access-rules-cache.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Definitions, DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { hiddenDefinitionFields, maySee } from '#server/query/definitions/find-collection.ts'
import { type EntryQuery, findEntries, findNames, type StoredEntry } from './store.ts'

type Shown = { readonly details: StoredEntry['details']; readonly changes: readonly AuditChange[] }

type AuditReader = { readonly actor: Actor; readonly definitions: Definitions; readonly rules: StoredAccessRules }

/**
 * The changes in an entry, for readers who can manage the object: roles and policies for role managers, definitions for
 * collection managers. Others get no changes.
 */
function shownChanges(entry: Pick<StoredEntry, 'kind' | 'details' | 'collectionId'>, reader: AuditReader): Shown {
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
  // Changes to a deleted collection are only visible to users who can manage all collections.
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
  /** Field names if the reader may see all fields of the collection; otherwise IDs, as stored in the policy. */
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

export type AuditReadDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly rules: Pick<AccessRulesCache, 'current'>
}

export type AuditQuery = z.output<typeof listAudit.query>

type AuditPage = { readonly items: AuditItem[]; readonly next: string | null; readonly lookedBackTo: string | null }

const PAGE_SIZE = 50
const SCAN_SIZE = 1000
/** Maximum entries that a text search scans per request; the next request continues. */
const MAX_SCANNED = 20_000

export async function readAudit(deps: AuditReadDeps, actor: Actor, query: AuditQuery): Promise<AuditPage> {
  const words = wordsOf(query.text)
  const items: AuditItem[] = []
  const size = words.length === 0 ? PAGE_SIZE + 1 : SCAN_SIZE
  let lookedAt = 0
  for await (const { items: some, lookedAt: count, last } of entriesOf(deps, actor, query, size)) {
    for (const item of some) {
      if (!matchesWords(item, words)) continue
      // Fetches one extra entry to detect older ones.
      if (items.length === PAGE_SIZE) return { items, next: items.at(-1)?.id ?? null, lookedBackTo: null }
      items.push(item)
    }
    lookedAt += count
    if (words.length > 0 && count === size && lookedAt >= MAX_SCANNED) {
      return { items, next: last.id, lookedBackTo: last.at }
    }
  }
  return { items, next: null, lookedBackTo: null }
}

type ScannedEntries = { readonly items: readonly AuditItem[]; readonly lookedAt: number; readonly last: StoredEntry }

/** All matching entries in batches, newest first; memory use doesn't grow with the size of the log. */
export async function* entriesOf(
  deps: AuditReadDeps,
  actor: Actor,
  query: AuditQuery,
  size: number,
): AsyncGenerator<ScannedEntries> {
  const wanted = toEntryQuery(query)
  const isIn = ({ at }: StoredEntry) => isWithinTimes(at, query)
  let beforeId = wanted.beforeId
  for (;;) {
    const found = await findEntries(deps.database.read, { ...wanted, beforeId }, size)
    const last = found.at(-1)
    if (last === undefined) return
    yield { items: await named(deps, actor, found.filter(isIn)), lookedAt: found.length, last }
    if (found.length < size) return
    beforeId = last.id
  }
}

export function matchesWords(item: AuditItem, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const changes = item.changes.map(describeAuditChange).join(' ')
  const read = foldText(`${auditSentence(item)} ${auditDetails(item)} ${changes} ${item.address}`)
  return words.every((word) => read.includes(word))
}

export const wordsOf = (text: string | undefined): readonly string[] =>
  foldText(text ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')

/** An entry's ID can be created slightly before or after its timestamp, so the timestamp is also checked. */
const ID_TIME_TOLERANCE_MS = 60_000

function toEntryQuery({ person, group, kind, collection, from, until, before }: AuditQuery): EntryQuery {
  const kinds = kind === undefined ? group && kindsOf(group) : group && !kindsOf(group).includes(kind) ? [] : [kind]
  const end = until === undefined ? undefined : idLowerBound(Date.parse(until) + ID_TIME_TOLERANCE_MS)
  const beforeId = end === undefined || (before !== undefined && before < end) ? before : end
  const fromId = from === undefined ? undefined : idLowerBound(Date.parse(from) - ID_TIME_TOLERANCE_MS)
  return { person, kinds, collection, fromId, beforeId }
}

function isWithinTimes(at: string, { from, until }: AuditQuery): boolean {
  const ms = Date.parse(at)
  return (from === undefined || ms >= Date.parse(from)) && (until === undefined || ms < Date.parse(until))
}

async function named(deps: AuditReadDeps, actor: Actor, entries: readonly StoredEntry[]): Promise<AuditItem[]> {
  const ids = new Set(entries.flatMap(({ userId, aboutId }) => [userId, aboutId]).filter((id) => id !== null))
  const [names, definitions, rules] = await Promise.all([
    findNames(deps.database.read, [...ids]),
    deps.definitions.current(),
    deps.rules.current(),
  ])
  const person = (id: string | null): Named | null => (id === null ? null : { id, name: names.get(id) ?? '' })
  return entries.map(({ userId, aboutId, collectionId, ...entry }) => ({
    ...entry,
    ...shownChanges({ ...entry, collectionId }, { actor, definitions, rules }),
    user: person(userId),
    about: person(aboutId),
    collection: collectionId === null ? null : { id: collectionId, name: labelOf(definitions, actor, collectionId) },
  }))
}

/** A collection's name is returned only to users who can see it. */
function labelOf(definitions: Definitions, actor: Actor, id: string): string {
  const collection = definitions.byId.get(id)
  return collection && decide(actor, 'records:read', collection).allowed ? collection.label : ''
}
