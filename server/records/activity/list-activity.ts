import type { z } from 'zod'
import type { ActivityEntry, ActivityPart, listActivity as endpoint } from '#api/activity.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordValues } from '#domain/records/record.ts'
import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { sourceNames } from '#server/records/history/history-store.ts'
import { peopleById } from '#server/records/show/linked-names.ts'
import { type LinkedRecords, visibleTitles } from '#server/records/show/visible-titles.ts'
import {
  type ChangedIn,
  entriesOfSet,
  findSet,
  findSets,
  type SetEntry,
  type StoredSet,
  valuesOfEntries,
} from './activity-store.ts'
import { definitionParts, isOfDefinition, seesAllDefinitions } from './definition-parts.ts'
import { type ChangeReader, fieldsWithHiddenTargets, isLimited, readableRecords, seenChanges } from './seen-changes.ts'

type Query = z.output<(typeof endpoint)['query']>

/** Entries counted per change set. */
const MAX_COUNTED = 1000

/** Entries of a change set that are examined, by what the reader can read: everything, some fields, or some records. */
const MAX_EXAMINED = { everything: 10, fields: 200, records: 3 } as const

/** Entries whose records are checked at once. */
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
  for (let read = 0; read < MAX_SETS_READ; read += SETS_PER_STEP) {
    const { person, via, kind } = filter
    const found = await findSets(deps.database.read, { ...changedIn, person, via, kind, before: last }, SETS_PER_STEP)
    for (let left = found.sets; left.length > 0; ) {
      const some = left.slice(0, perPage - items.length)
      const shown = await showSets(deps, viewer, changedIn, some)
      // The kind must be visible as well, not only another part of the change set.
      items.push(...shown.filter(({ parts }) => kind === undefined || parts.some((part) => part.kind === kind)))
      if (items.length === perPage) return { items, next: some.at(-1)?.id ?? null }
      left = left.slice(some.length)
    }
    last = found.last
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
  if (name !== undefined) return { collections: [...collections.keys()], allDefinitions: false }
  const managed = definitions.list.filter((collection) => decide(actor, 'collections:manage', collection).allowed)
  const ids = new Set([...collections.keys(), ...managed.map(({ id }) => id)])
  return { collections: [...ids], allDefinitions: seesAllDefinitions({ actor }) }
}

/** A change set as far as the actor can read what it changed; undefined if they can't. */
export async function showChangeSet(deps: RecordDeps, actor: Actor, id: string): Promise<ActivityEntry | undefined> {
  const set = await findSet(deps.database.read, id)
  const viewer = viewerOf(await deps.definitions.current(), actor)
  const [shown] = set ? await showSets(deps, viewer, changedInOf(viewer), [set]) : []
  return shown
}

/** What a change set did in one collection. */
type Part = Readable & {
  readonly set: StoredSet
  readonly kind: ActivityPart['kind']
  readonly entries: readonly SetEntry[]
  readonly examined: readonly SetEntry[]
}

async function showSets(
  deps: RecordDeps,
  viewer: Viewer,
  changedIn: ChangedIn,
  sets: readonly StoredSet[],
): Promise<ActivityEntry[]> {
  const db = deps.database.read
  const read = await Promise.all(
    sets.map(async (set) => ({ set, entries: await entriesOfSet(db, set, changedIn, MAX_COUNTED + 1) })),
  )
  const definitions = await definitionParts(db, viewer, read)
  const all = (await Promise.all(read.map(({ set, entries }) => partsOf(deps, viewer, set, entries)))).flat()
  const values = await valuesOfEntries(
    db,
    all.flatMap(({ kind, examined }) => (NEEDS_VALUES.has(kind) ? examined.map(({ id }) => id) : [])),
  )
  const shown: ShownPart[] = []
  for (const part of all) {
    const one = await showPart(deps, viewer, part, values)
    if (one) shown.push(one)
  }
  const titles = await visibleTitles(deps, viewer, recordsIn(shown))
  const seen = sets.filter((set) => [...shown.map(({ part }) => part), ...definitions].some((one) => one.set === set))
  const people = await peopleById(deps, [...new Set(seen.flatMap(({ userId }) => userId ?? []))])
  const entries: ActivityEntry[] = []
  for (const set of seen) {
    const { id, at, userId, via, undoes, isUndone } = set
    const own = shown.filter(({ part }) => part.set === set)
    const reading = { actor: viewer.actor, collection: own[0]?.part.collection }
    const names = await sourceNames(db, reading, [set])
    const ofDefinitions = definitions.filter((one) => one.set === set).map(({ body }) => body)
    entries.push({
      id,
      at,
      user: userId === null ? null : (people.get(userId) ?? { id: userId }),
      via,
      source: names.get(set.sourceId ?? '') ?? null,
      undoes,
      // Others may have undone what this reader can't see.
      isUndone: isUndone && own.every(({ part }) => part.reading !== 'records'),
      parts: [...ofDefinitions, ...own.map((one) => bodyOf(one, titles))],
    })
  }
  return entries
}

async function partsOf(
  deps: RecordDeps,
  viewer: Viewer,
  set: StoredSet,
  entries: readonly SetEntry[],
): Promise<Part[]> {
  const parts: Part[] = []
  const ofRecords = entries.filter((entry) => !isOfDefinition(entry))
  for (const own of Map.groupBy(ofRecords, ({ kind, collection }) => `${kind} ${collection}`).values()) {
    const [first] = own
    const readable = first && viewer.collections.get(first.collection)
    if (!readable) continue
    parts.push({
      ...readable,
      set,
      kind: first.kind,
      entries: own,
      examined: await examinedIn(deps, viewer, readable, own),
    })
  }
  return parts
}

/** The first entries of records that the reader can read. */
async function examinedIn(
  deps: RecordDeps,
  viewer: Viewer,
  { collection, reading }: Readable,
  entries: readonly SetEntry[],
): Promise<readonly SetEntry[]> {
  const max = MAX_EXAMINED[reading]
  const examined: SetEntry[] = []
  // Readers can usually read the first ones.
  for (let at = 0; at < entries.length && examined.length < max; at += CHECKED_PER_STEP) {
    const some = entries.slice(at, at + CHECKED_PER_STEP)
    const ids = some.flatMap(({ record }) => record ?? [])
    const readable = await readableRecords(deps, viewer, collection, ids)
    examined.push(...some.filter(({ record }) => record === null || readable.has(record)))
  }
  return examined.slice(0, max)
}

const NAMES_FIELDS: ReadonlySet<ActivityPart['kind']> = new Set(['record-changed', 'record-moved'])
const NEEDS_VALUES: ReadonlySet<ActivityPart['kind']> = new Set([...NAMES_FIELDS, 'records-imported'])

type ShownPart = Pick<ActivityPart, 'count' | 'fields'> & {
  readonly part: Part
  /** The record, if it is the only one. */
  readonly record: RecordId | null
}

type Values = Awaited<ReturnType<typeof valuesOfEntries>>

/** Undefined if the reader can read none of it. A change of hidden fields alone isn't shown. */
async function showPart(deps: RecordDeps, viewer: Viewer, part: Part, values: Values): Promise<ShownPart | undefined> {
  const { set, collection, kind, entries, examined, reading } = part
  if (entries[0]?.record === null) return showWholePart(part, values)
  const records = examined.flatMap(({ record }) => (record === null ? [] : { changeSet: set.id, record }))
  const seenIn = await seenChanges(deps, viewer, collection, records)
  const changed = new Set<FieldId>()
  const seen = examined.filter(({ id, record }) => {
    const isSeen = record === null ? undefined : seenIn({ changeSet: set.id, record })
    if (!isSeen || !NAMES_FIELDS.has(kind)) return isSeen !== undefined
    const own = Object.keys(values.get(id) ?? {}).filter(isSeen)
    for (const field of own) changed.add(field)
    return own.length > 0
  })
  const fields = collection.fields.filter(({ id }) => changed.has(id)).map(({ name }) => name)
  if (seen.length === 0 || (NAMES_FIELDS.has(kind) && fields.length === 0)) return undefined
  const seesAll = reading === 'everything' || (reading === 'fields' && !NAMES_FIELDS.has(kind))
  const isCounted = entries.length <= MAX_COUNTED && (seesAll || examined.length < MAX_EXAMINED[reading])
  const count = !isCounted ? null : seesAll ? entries.length : seen.length
  return { part, fields, count, record: count === 1 ? (seen[0]?.record ?? null) : null }
}

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
