import type { z } from 'zod'
import type { HistoryEntryBody, listHistory as endpoint } from '#api/history.ts'
import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { AllowedDecision } from '#domain/access/decide.ts'
import { type Collection, fieldByName } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, hasSelectOptions } from '#domain/fields/field.ts'
import { optionName } from '#domain/fields/select.ts'
import { everythingVisible } from '#domain/query/list/records-query.ts'
import { DEFAULT_FORM } from '#domain/records/named-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import {
  changedFields,
  doubtfulFields,
  entryStates,
  type EntryStates,
  fieldsDeciding,
  type HistoryKind,
} from '#domain/records/record-history.ts'
import { plainText } from '#domain/rich-text/plain-text.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type QueryActor, queryContext } from '#server/access/record-access/authorized-query.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { historyCutoff } from '#server/records/changes/retention.ts'
import { definitionsSince, type FormerDefinition } from '#server/records/changes/definition-store.ts'
import { findVisible, recordNotFound } from '#server/records/crud/read-record.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { hiddenFieldsIn } from '#server/records/show/hidden-fields-in.ts'
import { peopleById } from '#server/records/show/linked-names.ts'
import { showRecords } from '#server/records/show/show-records.ts'
import { findEntries, importOf, sourceNames, type StoredEntry } from './history-store.ts'
import { storesSame } from '#domain/collections/undone-definition.ts'
import { definitionOf, readableByValues, unchangedSince } from './past-access.ts'

type Query = z.output<(typeof endpoint)['query']>

type Place = { readonly collection: string; readonly record: string }

/** A record that the actor can read, and how to decide what they may see of its past. */
type Viewed = {
  readonly queryActor: QueryActor
  readonly collection: Collection
  readonly decision: AllowedDecision
  readonly record: CollectionRecord
  /** Definitions of the collection since the record was created. */
  readonly former: readonly FormerDefinition[]
  /** The history begins at this time; undefined if all of it is kept. */
  readonly since: string | undefined
}

export type PastEntry = {
  readonly entry: StoredEntry
  readonly states: EntryStates
  /** The changed fields that the actor can read in both states. */
  readonly fields: readonly FieldId[]
  /** The fields that the actor can read in each state. */
  readonly readable: { readonly [side in keyof EntryStates]: FieldFilter }
  readonly isVisible: boolean
}

async function viewRecord(deps: RecordDeps, actor: Actor, place: Place): Promise<Viewed> {
  const definitions = await deps.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', place.collection)
  const queryActor = { definitions, actor, now: deps.clock() }
  const record = await findVisible(deps, queryActor, { collection, decision }, place.record)
  if (!record) throw recordNotFound(collection, place.record)
  const former = await definitionsSince(deps.database.read, collection.id, record.id)
  const since = await historyCutoff(deps.database.read, queryActor.now)
  return { queryActor, collection, decision, record, former, since }
}

type LastChange = Pick<CollectionRecord, 'updatedAt' | 'updatedBy'>

type PastState = {
  readonly values: RecordValues | null
  readonly changed: LastChange
  readonly entry: StoredEntry
  /** Fields whose value may have been another one. */
  readonly doubtful: ReadonlySet<FieldId>
}

export type FieldFilter = (field: FieldId) => boolean

const ALL: FieldFilter = () => true

/**
 * Decides which fields of a past state may be shown: those that the actor can read in the record as it is and as it was
 * then. If a condition depends on other records, it counts as unchanged while the fields it starts from are; otherwise
 * nothing is shown. The same applies to a field whose type has changed since.
 */
async function pastReader(deps: RecordDeps, viewed: Viewed): Promise<(state: PastState) => FieldFilter> {
  const { queryActor, collection, decision, record, former } = viewed
  const shown = { collection, decision, fields: collection.fields, areWhole: true }
  const hiddenNow = (await hiddenFieldsIn(deps, queryActor, shown, [record]))(record)
  const isReadNow: FieldFilter = (field) => !hiddenNow.has(field)
  if (decision.where === undefined && decision.partlyHidden === undefined)
    return ({ values }) => (values === null ? ALL : isReadNow)
  const deciding = decidingFields(viewed)
  return ({ values, changed, entry, doubtful }) => {
    if (values === null) return ALL
    const same = unchangedSince(collection, former, entry.id)
    const part = { ...same, fields: same.fields.filter(({ id }) => !doubtful.has(id)) }
    const isTyped: FieldFilter = (id) => part.fields.some((field) => field.id === id)
    if (deciding?.every((field) => isTyped(field) && sameJson(values[field] ?? null, record.values[field] ?? null)))
      return isReadNow
    const past = { record: { ...record, ...changed, values }, at: entry.at }
    const isReadThen = readableByValues(queryActor, part, decision, past)
    return (field) => isReadNow(field) && isReadThen(field)
  }
}

/** The fields on which the actor's access to records and their fields depends; undefined if also on other data. */
export function decidingFields({
  queryActor,
  collection,
  decision,
}: Pick<Viewed, 'queryActor' | 'collection' | 'decision'>): readonly FieldId[] | undefined {
  const fields = new Set<FieldId>()
  for (const where of [decision.where, ...(decision.partlyHidden?.values() ?? [])]) {
    if (where === undefined) continue
    // What was true then depends on the time.
    if (/"@(?:now|today)/.test(JSON.stringify(where))) return undefined
    const { where: checked } = everythingVisible(queryContext(queryActor, collection, { ...decision, where }))
    const own = fieldsDeciding(checked)
    if (own === undefined) return undefined
    for (const field of own) fields.add(field)
  }
  return [...fields]
}

/**
 * The log contains no entries of imported records; their creation is derived from the record. A record's ID sorts before
 * its entries.
 */
async function creationEntry(deps: RecordDeps, { collection, record }: Viewed): Promise<StoredEntry> {
  const imported = await importOf(deps.database.readByKey, collection.id, record.id)
  return {
    id: record.id,
    at: record.createdAt,
    userId: record.createdBy,
    kind: 'created',
    before: null,
    after: null,
    note: null,
    changeSet: imported,
    via: imported === null ? null : 'import',
    sourceId: imported,
    bytes: 0,
    isDerived: true,
  }
}

/** Entries read in the first step, and at most in later ones: long texts may take a lot of memory. */
const FIRST_STEP = 8
const MAX_STEP = 100

/** Limits for one request; older entries are not listed. */
const MAX_ENTRIES = 2000
const MAX_BYTES = 16 * 1024 * 1024

type Step = { readonly last: string | undefined; readonly size: number; readonly wasCreated: boolean }

/** Some entries, and the next older one, which tells who changed the record before. An erased entry ends the history. */
async function readStep(deps: RecordDeps, viewed: Viewed, { last, size, wasCreated }: Step) {
  const { record, since } = viewed
  const stored = await findEntries(deps.database.read, record.id, { before: last, limit: size + 1 })
  const erased = stored.findIndex(({ isErased }) => isErased)
  const found = erased === -1 ? stored : stored.slice(0, erased)
  const [step, isEnd] = [found.slice(0, size), found.length <= size]
  const hasCreation = wasCreated || step.some(({ kind }) => kind === 'created')
  const isCut = erased !== -1 || (since !== undefined && record.createdAt < since)
  if (isEnd && !hasCreation && !isCut) step.push(await creationEntry(deps, viewed))
  return { step, next: found[size], isEnd }
}

/** The entries of a record, newest first: its states are calculated backwards from the current values. */
async function* walkHistory(deps: RecordDeps, viewed: Viewed): AsyncGenerator<PastEntry> {
  const { collection, record, former } = viewed
  const readerOf = await pastReader(deps, viewed)
  const known = new Set(collection.fields.map(({ id }) => id))
  let values: RecordValues | null = record.values
  let [read, bytes, size, wasCreated] = [0, 0, FIRST_STEP, false]
  for (let last: string | undefined; ; ) {
    const { step, next, isEnd } = await readStep(deps, viewed, { last, size, wasCreated })
    wasCreated ||= step.some(({ kind }) => kind === 'created')
    const doubts = doubtfulFields(values, step, ({ id }, field) =>
      unchangedSince(collection, former, id).fields.some((one) => one.id === field),
    )
    for (const [at, states] of entryStates(values, step).entries()) {
      const [entry, older] = [step[at], step[at + 1] ?? next]
      if (!entry) continue
      const created = { updatedAt: record.createdAt, updatedBy: record.createdBy }
      const changedBefore = older ? { updatedAt: older.at, updatedBy: older.userId } : created
      const changedAfter = { updatedAt: entry.at, updatedBy: entry.userId }
      const doubtful = doubts[at] ?? { before: new Set(), after: new Set() }
      const before = readerOf({ values: states.before, changed: changedBefore, entry, doubtful: doubtful.before })
      const after = readerOf({ values: states.after, changed: changedAfter, entry, doubtful: doubtful.after })
      const fields = changedFields(states).filter((field) => known.has(field) && before(field) && after(field))
      const isVisible = fields.length > 0 || !CHANGES.has(entry.kind)
      yield { entry, states, fields, readable: { before, after }, isVisible }
      values = states.before
    }
    read += step.length
    bytes += step.reduce((sum, entry) => sum + entry.bytes, 0)
    last = step.at(-1)?.id
    size = Math.min(MAX_STEP, size * 2)
    if (isEnd || read >= MAX_ENTRIES || bytes >= MAX_BYTES) return
  }
}

const CHANGES: ReadonlySet<HistoryKind> = new Set(['changed', 'moved'])

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

/**
 * The fields that each change set changed in a record, as far as the actor can read them before and after. Change sets
 * of which the actor can't see anything are left out; of a record that they can't read, all are.
 */
export async function fieldsByChangeSet(
  deps: RecordDeps,
  actor: Actor,
  place: Place,
): Promise<ReadonlyMap<string, ReadonlySet<FieldId>>> {
  const viewed = await viewRecord(deps, actor, place).then(undefined, (error: unknown) => {
    if (error instanceof Problem) return undefined
    throw error
  })
  const sets = new Map<string, Set<FieldId>>()
  if (!viewed) return sets
  for await (const { entry, fields, isVisible } of walkHistory(deps, viewed)) {
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
