import type { z } from 'zod'
import type { listChanges as endpoint, RecordChange } from '#api/changes.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordValues } from '#domain/records/record.ts'
import { idLowerBound } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { invalidCursor } from '#server/platform/http/invalid-cursor.ts'
import type { ChangeKind } from '#server/records/changes/change-log.ts'
import { historyCutoff } from '#server/records/changes/retention.ts'
import {
  entriesAfter,
  lastEntries,
  LOG_START,
  type LogEntry,
  type LogPosition,
  positionOf,
  readLogId,
} from '#server/records/changes/commit-order-store.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { HISTORY_KINDS_OF } from '#server/records/history/history-store.ts'
import { valuesOfEntries } from './activity-store.ts'
import { type Viewer, viewerOf } from './list-activity.ts'
import { seenChanges } from './seen-changes.ts'

type Query = z.output<(typeof endpoint)['query']>

/** Entries read at once. */
const STEP = 100

/** Entries read per request; fewer if the reader's access to each record must be checked. */
const MAX_READ = { plain: 2000, limited: 300 } as const

/**
 * A cursor contains the last entry that its reader saw. If at least this many hidden entries follow, it contains the last
 * of them, so that they aren't read with each request; this reveals that they exist.
 */
const MAX_HIDDEN = 100

/** Lists entries of the change log about records in commit order, as far as the actor can read them. */
export async function listChanges(
  deps: RecordDeps,
  actor: Actor,
  { after, ...query }: Query,
): Promise<z.input<(typeof endpoint)['response']>> {
  const log = await readLogId(deps.database.read)
  if (after === 'now')
    return { items: [], next: cursorOf(log, await endOfLog(deps, actor, query.collection)), isComplete: true }
  const start = after === undefined ? LOG_START : await positionIn(deps, log, after)
  const { items, last, isComplete } = await readPage(deps, actor, start, query)
  return { items, next: cursorOf(log, last), isComplete }
}

const cursorOf = (log: string, { id }: LogPosition): string => `${log}.${id}`

const CURSOR = /^(?<log>[\w-]+)\.(?<id>\w*)$/

async function positionIn({ database, clock }: RecordDeps, log: string, cursor: string): Promise<LogPosition> {
  const { log: own, id } = CURSOR.exec(cursor)?.groups ?? {}
  if (own === undefined || id === undefined) throw invalidCursor('after')
  if (own !== log)
    throw new Problem('gone', 'A backup was restored since the last request. Synchronize again from the start.')
  const position = id === '' ? LOG_START : await positionOf(database, id)
  if (position) return position
  const start = await historyCutoff(database.read, clock())
  if (start === undefined || id >= idLowerBound(Date.parse(start))) throw invalidCursor('after')
  throw new Problem(
    'gone',
    'Changes since the last request are no longer in the history. Synchronize again from the start.',
  )
}

type Page = { readonly items: RecordChange[]; readonly last: LogPosition; readonly isComplete: boolean }

async function readPage(
  deps: RecordDeps,
  actor: Actor,
  start: LogPosition,
  { collection, limit }: Omit<Query, 'after'>,
): Promise<Page> {
  const items: RecordChange[] = []
  let [seen, read, hidden] = [start, 0, 0]
  for (let last = start; ; ) {
    const entries = await entriesAfter(deps.database, last, STEP)
    // Definitions are read after the entries, so that no entry is from a collection that isn't known yet.
    const viewer = viewerOf(await deps.definitions.latest(), actor, collection)
    for (const { entry, item } of await showEntries(deps, viewer, entries)) {
      last = entry
      hidden += 1
      if (!item) continue
      items.push(item)
      seen = entry
      hidden = 0
      if (items.length === limit) return { items, last, isComplete: false }
    }
    read += entries.length
    const isComplete = entries.length < STEP
    if (isComplete || read >= maxRead(viewer)) return { items, last: hidden < MAX_HIDDEN ? seen : last, isComplete }
  }
}

const maxRead = ({ collections }: Viewer): number =>
  [...collections.values()].some(({ reading }) => reading === 'records') ? MAX_READ.limited : MAX_READ.plain

/** The last entry that the actor sees, unless many hidden entries follow. */
async function endOfLog(deps: RecordDeps, actor: Actor, collection: string | undefined): Promise<LogPosition> {
  const entries = await lastEntries(deps.database, MAX_HIDDEN)
  const viewer = viewerOf(await deps.definitions.latest(), actor, collection)
  const shown = await showEntries(deps, viewer, entries)
  const seen = shown.findLast(({ item }) => item !== undefined)?.entry
  return seen ?? (entries.length < MAX_HIDDEN ? LOG_START : (entries.at(-1) ?? LOG_START))
}

type ShownEntry = { readonly entry: LogEntry; readonly item: RecordChange | undefined }

/** Each entry with what the viewer sees of it; undefined if nothing. */
async function showEntries(deps: RecordDeps, viewer: Viewer, entries: readonly LogEntry[]): Promise<ShownEntry[]> {
  const { collections } = viewer
  const known = entries.filter(({ kind, collection }) => KINDS[kind] && collections.has(collection ?? ''))
  const named = known.filter(({ kind }) => NAMES_FIELDS.has(KINDS[kind]))
  const values = await valuesOfEntries(
    deps.database.read,
    named.map(({ id }) => id),
  )
  const items = new Map<LogEntry, RecordChange | undefined>()
  for (const [id, own] of Map.groupBy(known, (entry) => entry.collection ?? '')) {
    const readable = collections.get(id)
    if (!readable) continue
    const { collection, reading } = readable
    const changed = own.flatMap(({ changeSet, record }) => (record === null ? [] : { changeSet, record }))
    const seenIn = await seenChanges(deps, viewer, collection, { changed })
    // An import tells those who can read only some records about records that they may not see.
    const shown = own.filter(({ record }) => record !== null || reading !== 'records')
    for (const entry of shown)
      items.set(entry, itemOf(entry, collection, { seenIn, values: values.get(entry.id) ?? {} }))
  }
  return entries.map((entry) => ({ entry, item: items.get(entry) }))
}

const KINDS: { readonly [kind in ChangeKind]?: RecordChange['kind'] } = {
  ...HISTORY_KINDS_OF,
  'records-imported': 'imported',
}

const NAMES_FIELDS: ReadonlySet<RecordChange['kind'] | undefined> = new Set(['changed', 'moved'])

type Seen = { readonly seenIn: Awaited<ReturnType<typeof seenChanges>>; readonly values: RecordValues }

/** Undefined if the viewer can't read it. A change of hidden fields alone isn't shown. */
function itemOf(entry: LogEntry, collection: Collection, { seenIn, values }: Seen): RecordChange | undefined {
  const { id, at, userId: user, via, changeSet, record } = entry
  const kind = KINDS[entry.kind]
  const isSeen = record === null ? () => true : seenIn({ changeSet, record })
  if (!kind || !isSeen) return undefined
  const changed = NAMES_FIELDS.has(kind) ? collection.fields.filter((field) => Object.hasOwn(values, field.id)) : []
  const fields = changed.filter((field) => isSeen(field.id)).map(({ name }) => name)
  if (NAMES_FIELDS.has(kind) && fields.length === 0) return undefined
  return { id, at, user, via, changeSet, kind, collection: collection.id, record, fields }
}
