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

/** What reading the audit log takes. */
export type AuditReadDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly rules: Pick<AccessRulesCache, 'current'>
}

/** What is looked for. */
export type AuditQuery = z.output<typeof listAudit.query>

type AuditPage = { readonly items: AuditItem[]; readonly next: string | null; readonly lookedBackTo: string | null }

const PAGE_SIZE = 50
/** Entries looked at together for a text. */
const SCAN_SIZE = 1000
/** Most entries one request looks at for a text; whoever wants to look further back asks again. */
const MAX_SCANNED = 20_000

/** Story: one page of the audit log, newest first. */
export async function readAudit(deps: AuditReadDeps, actor: Actor, query: AuditQuery): Promise<AuditPage> {
  const words = wordsOf(query.text)
  const items: AuditItem[] = []
  const size = words.length === 0 ? PAGE_SIZE + 1 : SCAN_SIZE
  let lookedAt = 0
  for await (const { items: some, lookedAt: count, last } of entriesOf(deps, actor, query, size)) {
    for (const item of some) {
      if (!matchesWords(item, words)) continue
      // One more than is shown tells that there are older ones.
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

/** Entries that were looked at together: those that fit, how many they were in all, and the oldest of them. */
type ScannedEntries = { readonly items: readonly AuditItem[]; readonly lookedAt: number; readonly last: StoredEntry }

/** Every entry that fits, in portions, newest first; memory stays flat however long the log is. */
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

/** Whether an entry says all of what is looked for, in what people read of it. */
export function matchesWords(item: AuditItem, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const changes = item.changes.map(describeAuditChange).join(' ')
  const read = foldText(`${auditSentence(item)} ${auditDetails(item)} ${changes} ${item.address}`)
  return words.every((word) => read.includes(word))
}

/** The words of a text that is looked for. */
export const wordsOf = (text: string | undefined): readonly string[] =>
  foldText(text ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')

/** An entry's id is made within moments of its time; what the ids let through too much, the times hold back. */
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

/** What a collection is called is told to whoever sees it. */
function labelOf(definitions: Definitions, actor: Actor, id: string): string {
  const collection = definitions.byId.get(id)
  return collection && decide(actor, 'records:read', collection).allowed ? collection.label : ''
}
