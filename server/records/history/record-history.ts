import type { z } from 'zod'
import type { HistoryEntryBody, listHistory as endpoint } from '#api/history.ts'
import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type Collection, fieldByName } from '#domain/collections/collection.ts'
import { storesSame } from '#domain/collections/undone-definition.ts'
import { type Field, type FieldValue, hasSelectOptions } from '#domain/fields/field.ts'
import { optionName } from '#domain/fields/select.ts'
import { DEFAULT_FORM } from '#domain/records/named-values.ts'
import type { EntryStates } from '#domain/records/record-history.ts'
import { plainText } from '#domain/rich-text/plain-text.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import { findAllVisible } from '#server/records/crud/find-visible.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { peopleById } from '#server/records/show/linked-names.ts'
import { showRecords } from '#server/records/show/show-records.ts'
import { sourceNames, type StoredEntry } from './history-store.ts'
import { definitionOf, unchangedSince } from './past-access.ts'
import {
  CHANGES,
  type PastEntry,
  type Place,
  type Viewed,
  type Viewer,
  viewRecord,
  viewRecords,
  walkHistory,
} from './walk-history.ts'

type Query = z.output<(typeof endpoint)['query']>

/** Lists the changes of a record that the actor may see. */
export async function listHistory(
  deps: RecordDeps,
  actor: Actor,
  place: Place,
  query: Query,
): Promise<{ items: HistoryEntryBody[]; next: string | null }> {
  const { perPage, field: fieldName } = query
  const viewed = await viewRecord(deps, actor, place)
  const { collection, decision } = viewed
  const filtered = fieldName === undefined ? undefined : fieldByName(collection, fieldName)
  if (fieldName !== undefined && (!filtered || decision.hiddenFields.has(filtered.id))) return { items: [], next: null }

  const page: PastEntry[] = []
  for await (const past of walkHistory(deps, viewed)) {
    if (isListed(past, query, filtered?.id)) page.push(past)
    if (page.length > perPage) break
  }
  const hasMore = page.length > perPage
  const items = await showEntries(deps, viewed, page.slice(0, perPage))
  return { items, next: hasMore ? (page[perPage - 1]?.entry.id ?? null) : null }
}

const isListed = (
  { entry, fields, isVisible }: PastEntry,
  { before, person }: Query,
  field: FieldId | undefined,
): boolean =>
  isVisible &&
  (before === undefined || entry.id < before) &&
  (person === undefined || entry.userId === person) &&
  (field === undefined || fields.includes(field))

export type Version = PastEntry & {
  /** The log entry that contains the value of a field in this state; undefined if it is the current value. */
  readonly sourceOf: (side: keyof EntryStates, field: FieldId) => string | undefined
}

/** The states of a record around one entry, if the actor may see it. */
export async function findVersion(
  deps: RecordDeps,
  actor: Actor,
  place: Place,
  id: string,
): Promise<Version | undefined> {
  const newer: StoredEntry[] = []
  for await (const past of walkHistory(deps, await viewRecord(deps, actor, place))) {
    const { entry, isVisible } = past
    if (entry.id < id) return undefined
    if (entry.id === id) return isVisible ? { ...past, sourceOf: sourceIn(entry, newer) } : undefined
    newer.unshift(entry)
  }
  return undefined
}

/** Records whose histories are read at once. */
const RECORDS_PER_STEP = 100

export type FieldsByChangeSet = ReadonlyMap<string, ReadonlySet<FieldId>>

/** Time in ms by which the clocks of servers may differ: the entries of a change set can be from several servers. */
const CLOCK_TOLERANCE_MS = 5_000

/**
 * The fields that each change set since a time changed in records, as far as the actor can read them before and after.
 * Change sets of which the actor can't see anything are left out, and so are records that they can't read.
 */
export async function fieldsByChangeSet(
  deps: RecordDeps,
  viewer: Viewer,
  ids: readonly RecordId[],
  since: string,
): Promise<ReadonlyMap<RecordId, FieldsByChangeSet>> {
  const found = new Map<RecordId, FieldsByChangeSet>()
  const oldest = since === '' ? since : new Date(Date.parse(since) - CLOCK_TOLERANCE_MS).toISOString()
  for (const some of chunkIds(ids, RECORDS_PER_STEP)) {
    const records = await findAllVisible(deps, viewer.queryActor, viewer, some)
    for (const viewed of await viewRecords(deps, viewer, records))
      found.set(viewed.record.id, await fieldsIn(deps, viewed, oldest))
  }
  return found
}

async function fieldsIn(deps: RecordDeps, viewed: Viewed, oldest: string): Promise<FieldsByChangeSet> {
  const sets = new Map<string, Set<FieldId>>()
  for await (const { entry, fields, isVisible } of walkHistory(deps, viewed)) {
    if (entry.at < oldest) break
    if (!isVisible || entry.changeSet === null) continue
    const known = sets.get(entry.changeSet) ?? new Set()
    for (const field of fields) known.add(field)
    sets.set(entry.changeSet, known)
  }
  return sets
}

const sourceIn =
  (entry: StoredEntry, newer: readonly StoredEntry[]): Version['sourceOf'] =>
  (side, field) =>
    Object.hasOwn(entry[side] ?? {}, field)
      ? entry.id
      : newer.find(({ before }) => Object.hasOwn(before ?? {}, field))?.id

/** The values of an entry's fields, shown like those of a record. */
async function showEntries(
  deps: RecordDeps,
  { queryActor, collection, record, former }: Viewed,
  page: readonly PastEntry[],
): Promise<HistoryEntryBody[]> {
  const past = page.map((one): ShownEntry => {
    const then = definitionOf(former, one.entry.id)
    // The values of a derived entry may be from before or after a change of the field type.
    const part = one.entry.isDerived ? unchangedSince(collection, former, one.entry.id) : collection
    const fields = one.fields.filter((id) => part.fields.some((field) => field.id === id))
    return { ...one, fields, text: new Map(fields.flatMap((id) => formerField(collection, then, one, id))) }
  })
  const { actor } = queryActor
  const sides = past.flatMap(({ states, fields, text }) =>
    [states.before, states.after].map((values) => {
      const shown = fields.filter((id) => !text.has(id))
      return { ...record, values: Object.fromEntries(shown.map((id) => [id, values?.[id] ?? null])) }
    }),
  )
  // What may be shown has been decided, so the current conditions don't apply.
  const viewer = { actor, collection, decision: { allowed: true, hiddenFields: new Set<FieldId>() } as const }
  const names = collection.fields.filter(({ id }) => page.some(({ fields }) => fields.includes(id)))
  const showing = { form: DEFAULT_FORM, expand: 'all', fields: new Set(names.map(({ name }) => name)) } as const
  const bodies = await showRecords(deps, viewer, sides, showing)
  const stored = page.map(({ entry }) => entry)
  const people = await peopleById(deps, [...new Set(stored.flatMap(({ userId }) => userId ?? []))])
  const sources = await sourceNames(deps.database.read, { actor, collection }, stored)
  return past.flatMap((one, at) => {
    const changes = collection.fields.flatMap((field) => changeOf(field, one, bodies[at * 2], bodies[at * 2 + 1]))
    // Links to records that the actor can't see look the same before and after.
    const shown = changes.filter(({ before, after }) => !sameJson(jsonOf(before), jsonOf(after)))
    if (shown.length === 0 && CHANGES.has(one.entry.kind)) return []
    return [{ ...originOf(one.entry, people, sources), changes: shown }]
  })
}

/** Shown values are JSON. */
const jsonOf = (value: unknown): Json => (value ?? null) as Json

/** `text`: fields that had another type or options that were deleted, with their definition at that time. */
type ShownEntry = PastEntry & { readonly text: ReadonlyMap<FieldId, Field> }

function originOf(
  { id, at, kind, userId, via, sourceId, note, changeSet }: StoredEntry,
  people: Awaited<ReturnType<typeof peopleById>>,
  sources: ReadonlyMap<string, string>,
) {
  const user = userId === null ? null : (people.get(userId) ?? { id: userId })
  return { id, at, kind, user, via, source: sources.get(sourceId ?? '') ?? null, note, changeSet }
}

function changeOf(
  field: Field,
  { states, fields, text }: ShownEntry,
  before: RecordBody | undefined,
  after: RecordBody | undefined,
): HistoryEntryBody['changes'] {
  if (!fields.includes(field.id)) return []
  const then = text.get(field.id)
  if (!then) return [{ field: field.name, before: before?.values[field.name], after: after?.values[field.name] }]
  const [was, became] = [states.before, states.after].map((values) => textOf(then, values?.[field.id] ?? null))
  return [{ field: field.name, before: was, after: became, isText: true }]
}

/** The field as it was, if its values can't be shown as those of the current field. */
function formerField(
  { fields }: Collection,
  then: Collection | undefined,
  { states }: PastEntry,
  id: FieldId,
): [] | [readonly [FieldId, Field]] {
  const [now, old] = [fields, then?.fields ?? []].map((all) => all.find((field) => field.id === id))
  if (!now || !old) return []
  const values = [states.before?.[id], states.after?.[id]]
  return !storesSame(old, now) || values.some((value) => hasDeletedOption(now, value)) ? [[id, old]] : []
}

const hasDeletedOption = (field: Field, value: FieldValue | undefined): boolean =>
  hasSelectOptions(field) &&
  [value].flat().some((one) => typeof one === 'string' && optionName(field, one) === undefined)

/** A value of a field that has another type now, as text; null for values that only name other data. */
function textOf(field: Field, value: FieldValue): string | null {
  if (value === null || ['relation', 'user', 'files'].includes(field.kind)) return null
  if (Array.isArray(value)) return value.flatMap((one) => textOf(field, one) ?? []).join(', ')
  if (hasSelectOptions(field)) return typeof value === 'string' ? (optionName(field, value) ?? null) : null
  if (typeof value === 'object') return 'type' in value ? plainText(value) : JSON.stringify(value)
  return String(value)
}
