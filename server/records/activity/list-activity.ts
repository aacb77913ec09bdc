import type { z } from 'zod'
import type { ActivityEntry, ActivityPart, listActivity as endpoint } from '#api/activity.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide, hasPermission } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordValues } from '#domain/records/record.ts'
import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { sourceNames } from '#server/records/history/history-store.ts'
import type { FieldFilter } from '#server/records/history/walk-history.ts'
import { peopleById } from '#server/records/show/linked-names.ts'
import { type LinkedRecords, visibleTitles } from '#server/records/show/visible-titles.ts'
import {
  type ChangedIn,
  entriesOfSet,
  findSet,
  findSets,
  isOfDefinition,
  type PartsBySet,
  partsOfSets,
  type SetEntry,
  type SetPart,
  type StoredSet,
  valuesOfEntries,
} from './activity-store.ts'
import { definitionParts, MAX_DEFINITIONS, seesAllDefinitions } from './definition-parts.ts'
import { type ChangeReader, fieldsWithHiddenTargets, isLimited, readableRecords, seenChanges } from './seen-changes.ts'

type Query = z.output<(typeof endpoint)['query']>

/** Entries counted per change set. */
const MAX_COUNTED = 1000

/** Entries of a change set that are examined, by what the reader can read: everything, some fields, or some records. */
const MAX_EXAMINED = { everything: 10, fields: 200, records: 3 } as const

/** Entries of a change set whose records are checked in the first step, and in each of the others. */
const FIRST_CHECKED = 5
const CHECKED_PER_STEP = 50

/** Change sets read per step, and at most for one page; the next page continues where this one stopped. */
const SETS_PER_STEP = 200
const MAX_SETS_READ = 2000

type Reading = keyof typeof MAX_EXAMINED

function readingOf(
  reader: Pick<ChangeReader, 'actor' | 'definitions'>,
  collection: Collection,
  decision: AllowedDecision,
): Reading {
  if (isLimited(decision)) return 'records'
  const hidden = decision.hiddenFields.size + fieldsWithHiddenTargets(reader, collection).size
  return hidden > 0 ? 'fields' : 'everything'
}

/** Lists change sets, each as far as the actor can read what it changed. */
export async function listActivity(
  deps: RecordDeps,
  actor: Actor,
  { collection: name, perPage, before, ...filter }: Query,
): Promise<{ items: ActivityEntry[]; next: string | null }> {
  const viewer = viewerOf(await deps.definitions.current(), actor, name)
  const changedIn = changedInOf(viewer, name)
  const items: ActivityEntry[] = []
  let last = before
  for (let read = 0; read < MAX_SETS_READ; ) {
    const { person, via, kind } = filter
    const wanted = { ...changedIn, person, via, kind, before: last }
    const limit = perPage - items.length
    const found = await findSets(deps.database.readBriefly, wanted, { among: SETS_PER_STEP, limit })
    read += found.sets.length === limit ? limit : SETS_PER_STEP
    const shown = await showSets(deps, viewer, changedIn, found.sets)
    // The kind must be visible as well, not only another part of the change set.
    items.push(...shown.filter(({ parts }) => kind === undefined || parts.some((part) => part.kind === kind)))
    last = found.last
    if (items.length === perPage) return { items, next: last ?? null }
    if (last === undefined) return { items, next: null }
  }
  return { items, next: last ?? null }
}

type Readable = { readonly collection: Collection; readonly decision: AllowedDecision; readonly reading: Reading }

export type Viewer = ChangeReader & {
  readonly collections: ReadonlyMap<CollectionId, Readable>
}

export function viewerOf(definitions: Definitions, actor: Actor, name?: string): Viewer {
  const wanted =
    name === undefined ? definitions.list : [getCollection(definitions, actor, 'records:read', name).collection]
  const collections = wanted.flatMap((collection): (readonly [CollectionId, Readable])[] => {
    const decision = decide(actor, 'records:read', collection)
    return decision.allowed
      ? [[collection.id, { collection, decision, reading: readingOf({ actor, definitions }, collection, decision) }]]
      : []
  })
  return { actor, definitions, histories: new Map(), collections: new Map(collections) }
}

/** Those who manage a collection see changes of its definition even if they can't read its records. */
function changedInOf({ actor, definitions, collections }: Viewer, name?: string): ChangedIn {
  if (name !== undefined) return { collections: [...collections.keys()], others: 'none' }
  const managed = definitions.list.filter((collection) => decide(actor, 'collections:manage', collection).allowed)
  const ids = new Set([...collections.keys(), ...managed.map(({ id }) => id)])
  const seesDashboards = hasPermission(actor, 'views:share')
  const others = seesAllDefinitions({ actor }) ? 'all' : seesDashboards ? 'dashboards' : 'none'
  return { collections: [...ids], others }
}

/** A change set as far as the actor can read what it changed; undefined if they can't. */
export async function showChangeSet(deps: RecordDeps, actor: Actor, id: string): Promise<ActivityEntry | undefined> {
  const set = await findSet(deps.database.read, id)
  const viewer = viewerOf(await deps.definitions.current(), actor)
  const [shown] = set ? await showSets(deps, viewer, changedInOf(viewer), [set]) : []
  return shown
}

/** What a change set did in one collection. */
type FoundPart = Readable & SetPart & { readonly set: StoredSet; readonly kind: ActivityPart['kind'] }

type Part = FoundPart & { readonly examined: readonly SetEntry[] }

async function showSets(
  deps: RecordDeps,
  viewer: Viewer,
  changedIn: ChangedIn,
  sets: readonly StoredSet[],
): Promise<ActivityEntry[]> {
  const db = deps.database.read
  const wanted = { ...changedIn, limit: MAX_COUNTED, perPart: entriesPerPart(viewer), definitions: MAX_DEFINITIONS }
  const found = await partsOfSets(db, sets, wanted)
  const [ofDefinitions, ofRecords] = await Promise.all([
    definitionParts(db, viewer, found),
    recordParts(deps, viewer, found),
  ])
  const definitions = Map.groupBy(ofDefinitions, ({ set }) => set)
  const records = Map.groupBy(ofRecords, ({ part }) => part.set)
  const seen = sets.filter((set) => definitions.has(set) || records.has(set))
  const firstIn = (set: StoredSet) => records.get(set)?.[0]?.part.collection
  const [titles, people, names] = await Promise.all([
    visibleTitles(deps, viewer, recordsIn(ofRecords)),
    peopleById(deps, [...new Set(seen.flatMap(({ userId }) => userId ?? []))]),
    sourcesOf(db, viewer, Map.groupBy(seen, firstIn)),
  ])
  return seen.map((set) => {
    const { id, at, userId, via, sourceId, undoes, isUndone } = set
    const own = records.get(set) ?? []
    return {
      id,
      at,
      user: userId === null ? null : (people.get(userId) ?? { id: userId }),
      via,
      source: names.get(firstIn(set))?.get(sourceId ?? '') ?? null,
      undoes,
      // Others may have undone what this reader can't see.
      isUndone: isUndone && own.every(({ part }) => part.reading !== 'records'),
      parts: [...(definitions.get(set) ?? []).map(({ body }) => body), ...own.map((one) => bodyOf(one, titles))],
    }
  })
}

const entriesPerPart = ({ collections }: Viewer): number =>
  Math.max(FIRST_CHECKED, ...[...collections.values()].map(({ reading }) => MAX_EXAMINED[reading]))

/** Names of tokens and files, by the collection whose records a change set changed first. */
async function sourcesOf(
  db: Reader,
  { actor }: Viewer,
  sets: ReadonlyMap<Collection | undefined, readonly StoredSet[]>,
): Promise<ReadonlyMap<Collection | undefined, ReadonlyMap<string, string>>> {
  const names = new Map<Collection | undefined, ReadonlyMap<string, string>>()
  for (const [collection, own] of sets) names.set(collection, await sourceNames(db, { actor, collection }, own))
  return names
}

/** What change sets did to records, as far as the reader can read it. */
async function recordParts(deps: RecordDeps, viewer: Viewer, sets: PartsBySet): Promise<ShownPart[]> {
  const found = [...sets].flatMap(([set, parts]) =>
    parts.flatMap((part): FoundPart[] => {
      const [first] = part.entries
      const readable = first && !isOfDefinition(first) && viewer.collections.get(first.collection)
      return readable ? [{ ...readable, ...part, set, kind: first.kind }] : []
    }),
  )
  const all = await examineParts(deps, viewer, found)
  const needed = all.flatMap(({ kind, examined }) => (NEEDS_VALUES.has(kind) ? examined.map(({ id }) => id) : []))
  const values = await valuesOfEntries(deps.database.readBriefly, needed)
  const seen = await seenIn(deps, viewer, all, values)
  return all.flatMap((part) => showPart(part, { values, seen }) ?? [])
}

/** Adds the first entries of records that the reader can read to each part. */
async function examineParts(deps: RecordDeps, viewer: Viewer, parts: readonly FoundPart[]): Promise<Part[]> {
  const limited = parts.filter(({ reading }) => reading === 'records')
  const found = new Map<FoundPart, readonly SetEntry[]>()
  for (const [collection, own] of Map.groupBy(limited, (part) => part.collection))
    for (const [part, entries] of await readableEntries(deps, viewer, collection, own)) found.set(part, entries)
  return parts.map((part) => ({
    ...part,
    examined: (found.get(part) ?? part.entries).slice(0, MAX_EXAMINED[part.reading]),
  }))
}

/** The first entries of each part whose records the reader can read; those of all parts are checked together. */
async function readableEntries(
  deps: RecordDeps,
  viewer: Viewer,
  collection: Collection,
  parts: readonly FoundPart[],
): Promise<ReadonlyMap<FoundPart, readonly SetEntry[]>> {
  const found = new Map(parts.map((part) => [part, part.entries.filter(({ record }) => record === null)]))
  let left = parts.map((part) => ({ part, entries: part.entries }))
  for (let from = 0; left.length > 0; ) {
    const to = from === 0 ? FIRST_CHECKED : from + CHECKED_PER_STEP
    const ids = left.flatMap(({ entries }) => entries.slice(from, to).flatMap(({ record }) => record ?? []))
    const readable = await readableRecords(deps, viewer, collection, ids)
    for (const { part, entries } of left)
      found.get(part)?.push(...entries.slice(from, to).filter(({ record }) => record !== null && readable.has(record)))
    left = left.filter(({ part }) => (found.get(part)?.length ?? 0) < MAX_EXAMINED.records)
    // Readers can usually read some of the first ones.
    if (from === 0) left = await Promise.all(left.map(({ part }) => withAllEntries(deps.database.read, part)))
    left = left.filter(({ entries }) => entries.length > to)
    from = to
  }
  return found
}

type PartEntries = { readonly part: FoundPart; readonly entries: readonly SetEntry[] }

async function withAllEntries(db: Reader, part: FoundPart): Promise<PartEntries> {
  const { set, kind, collection, entries, count } = part
  if (entries.length === count) return { part, entries }
  const changedIn = { collections: [collection.id], others: 'none' } as const
  const all = await entriesOfSet(db, set, { ...changedIn, limit: MAX_COUNTED + 1 })
  return { part, entries: all.filter((one) => one.kind === kind) }
}

const NAMES_FIELDS: ReadonlySet<ActivityPart['kind']> = new Set(['record-changed', 'record-moved'])
const NEEDS_VALUES: ReadonlySet<ActivityPart['kind']> = new Set([...NAMES_FIELDS, 'records-imported'])

type ShownPart = Pick<ActivityPart, 'count' | 'fields'> & {
  readonly part: Part
  /** The record, if it is the only one. */
  readonly record: RecordId | null
}

type Values = Awaited<ReturnType<typeof valuesOfEntries>>

/** The fields of each entry whose change the reader can read, by entry ID. */
type Seen = ReadonlyMap<string, FieldFilter>

/**
 * Unless the entries are counted, only the first of those that changed the same fields is examined, and the others if the
 * reader can't see all of these fields in it.
 */
async function seenIn(deps: RecordDeps, viewer: Viewer, parts: readonly Part[], values: Values): Promise<Seen> {
  const fieldsOf = ({ kind }: Part, { id }: SetEntry) =>
    NAMES_FIELDS.has(kind) ? Object.keys(values.get(id) ?? {}) : []
  const alike = parts.flatMap((part) => {
    const groups = isCounted(part)
      ? part.examined.map((entry) => [entry])
      : [...Map.groupBy(part.examined, (entry) => fieldsOf(part, entry).toSorted().join(' ')).values()]
    return groups.flatMap(([entry, ...others]) => (entry ? { part, entry, others } : []))
  })
  const first = await seenEntries(deps, viewer, alike)
  const left = alike.filter(({ part, entry }) => {
    const isSeen = first.get(entry.id)
    return !isSeen || !fieldsOf(part, entry).every(isSeen)
  })
  const others = left.flatMap(({ part, others: own }) => own.map((entry) => ({ part, entry })))
  return new Map([...first, ...(await seenEntries(deps, viewer, others))])
}

type PartEntry = { readonly part: Part; readonly entry: SetEntry }

async function seenEntries(deps: RecordDeps, viewer: Viewer, entries: readonly PartEntry[]): Promise<Seen> {
  const seen = new Map<string, FieldFilter>()
  for (const [collection, own] of Map.groupBy(entries, ({ part }) => part.collection)) {
    const changed = own.flatMap(({ part, entry: { id, record } }) =>
      record === null ? [] : { changeSet: part.set.id, record, id },
    )
    const since = own.reduce((oldest, { part }) => (part.set.at < oldest ? part.set.at : oldest), '~')
    const seenOf = await seenChanges(deps, viewer, collection, { changed, since })
    for (const change of changed) {
      const isSeen = seenOf(change)
      if (isSeen) seen.set(change.id, isSeen)
    }
  }
  return seen
}

/** Undefined if the reader can read none of it. A change of hidden fields alone isn't shown. */
function showPart(part: Part, { values, seen: seenOf }: { values: Values; seen: Seen }): ShownPart | undefined {
  const { collection, kind, entries, examined } = part
  if (entries[0]?.record === null) return showWholePart(part, values)
  const changed = new Set<FieldId>()
  const seen = examined.filter(({ id }) => {
    const isSeen = seenOf.get(id)
    if (!isSeen || !NAMES_FIELDS.has(kind)) return isSeen !== undefined
    const own = Object.keys(values.get(id) ?? {}).filter(isSeen)
    for (const field of own) changed.add(field)
    return own.length > 0
  })
  const fields = collection.fields.filter(({ id }) => changed.has(id)).map(({ name }) => name)
  if (seen.length === 0 || (NAMES_FIELDS.has(kind) && fields.length === 0)) return undefined
  const count = countOf(part, seen.length)
  return { part, fields, count, record: count === 1 ? (seen[0]?.record ?? null) : null }
}

/** null if not all entries were counted. */
function countOf(part: Part, seen: number): number | null {
  const { kind, reading, count } = part
  if (count === undefined) return null
  if (reading === 'everything' || (reading === 'fields' && !NAMES_FIELDS.has(kind))) return count
  return isCounted(part) ? seen : null
}

/** Whether all entries are examined, so that those that the reader can see are counted. */
const isCounted = ({ reading, examined }: Part): boolean => examined.length < MAX_EXAMINED[reading]

/** An import, which is shown to those who can read all records. */
function showWholePart(part: Part, values: Values): ShownPart | undefined {
  const [first] = part.entries
  if (!first || part.reading === 'records') return undefined
  return { part, record: null, fields: [], count: importedIn(part, values.get(first.id)) }
}

function importedIn({ kind }: Part, stored: RecordValues | undefined): number | null {
  const count = stored?.['count']
  return kind === 'records-imported' && typeof count === 'number' ? count : null
}

function recordsIn(shown: readonly ShownPart[]): ReadonlyMap<CollectionId, LinkedRecords> {
  const single = shown.flatMap(({ part, record }) => (record === null ? [] : [{ id: part.collection.id, record }]))
  const byCollection = Map.groupBy(single, ({ id }) => id)
  return new Map(
    [...byCollection].map(([id, own]) => [id, { ids: new Set(own.map(({ record }) => record)), isTitled: true }]),
  )
}

function bodyOf(
  { part, fields, count, record }: ShownPart,
  titles: Awaited<ReturnType<typeof visibleTitles>>,
): ActivityPart {
  const { kind, collection } = part
  const title = record === null ? undefined : titles.get(collection.id)?.get(record)
  const named = record === null || title === undefined ? null : { id: record, title }
  return { kind, collection: collection.id, label: collection.label, fields, count, record: named }
}
