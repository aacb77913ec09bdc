import type { z } from 'zod'
import type { listAudit } from '#api/audit.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import { describeAuditChange } from '#domain/audit/audit-changes.ts'
import { kindsOf } from '#domain/audit/audit-kind.ts'
import { type AuditItem, auditDetails, auditSentence, type Named } from '#domain/audit/describe-audit.ts'
import { foldText } from '#domain/shared/text.ts'
import { idLowerBound } from '#domain/shared/ids.ts'
import type { Definitions, DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { AccessRulesCache } from '#server/access/rights/access-rules-cache.ts'
import { shownChanges } from './shown-changes.ts'
import { type EntryQuery, findEntries, findNames, type StoredEntry } from './store.ts'

export type AuditReadDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly rules: Pick<AccessRulesCache, 'current'>
}

export type AuditQuery = z.output<typeof listAudit.query>

type AuditPage = { readonly items: AuditItem[]; readonly next: string | null; readonly lookedBackTo: string | null }

const PAGE_SIZE = 50
const SCAN_SIZE = 1000
/** Maximum entries that one request scans for a text; the next request continues. */
const MAX_SCANNED = 20_000

export async function readAudit(deps: AuditReadDeps, actor: Actor, query: AuditQuery): Promise<AuditPage> {
  const words = wordsOf(query.text)
  const items: AuditItem[] = []
  const size = words.length === 0 ? PAGE_SIZE + 1 : SCAN_SIZE
  let lookedAt = 0
  for await (const { items: some, lookedAt: count, last } of entriesOf(deps, actor, query, size)) {
    for (const item of some) {
      if (!matchesWords(item, words)) continue
      // One extra entry tells whether older ones exist.
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

/** All matching entries in batches, newest first; memory use does not grow with the log. */
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

/** An entry's ID is created shortly before or after its timestamp, so timestamps are checked as well. */
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

/** A collection's name is returned to users who see it. */
function labelOf(definitions: Definitions, actor: Actor, id: string): string {
  const collection = definitions.byId.get(id)
  return collection && decide(actor, 'records:read', collection).allowed ? collection.label : ''
}
