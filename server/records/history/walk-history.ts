import type { Actor } from '#domain/access/actor.ts'
import type { AllowedDecision } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { everythingVisible } from '#domain/query/list/records-query.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import {
  changedFields,
  doubtfulFields,
  entryStates,
  type EntryStates,
  fieldsDeciding,
  type HistoryKind,
} from '#domain/records/record-history.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { sameJson } from '#domain/shared/json.ts'
import { type QueryActor, queryContext } from '#server/access/record-access/authorized-query.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { definitionsSince, type FormerDefinition } from '#server/records/changes/definition-store.ts'
import { historyCutoff } from '#server/records/changes/retention.ts'
import { findVisible } from '#server/records/crud/find-visible.ts'
import { recordNotFound } from '#server/records/crud/read-record.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { hiddenFieldsIn } from '#server/records/show/hidden-fields-in.ts'
import { findEntries, importsOf, newestEntries, type StoredEntry } from './history-store.ts'
import { readableByValues, unchangedSince } from './past-access.ts'

export type Place = { readonly collection: string; readonly record: string }

export type Viewer = {
  readonly queryActor: QueryActor
  readonly collection: Collection
  readonly decision: AllowedDecision
}

/** A record that the actor can read, and how to decide what they may see of its past. */
export type Viewed = Viewer & {
  readonly record: CollectionRecord
  /** The fields that the actor can't read in the record as it is. */
  readonly hidden: ReadonlySet<FieldId>
  /** The fields on which access depends; undefined if also on other data. */
  readonly deciding: readonly FieldId[] | undefined
  /** Definitions of the collection since the record was created. */
  readonly former: readonly FormerDefinition[]
  /** The history begins at this time; undefined if all of it is kept. */
  readonly since: string | undefined
  /** The newest entries, one more than the first step reads; undefined if they are long. */
  readonly newest: readonly StoredEntry[] | undefined
  /** The import that created the record. */
  readonly importId: string | null
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

export async function viewRecord(deps: RecordDeps, actor: Actor, place: Place): Promise<Viewed> {
  const definitions = await deps.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', place.collection)
  const queryActor = { definitions, actor, now: deps.clock() }
  const record = await findVisible(deps, queryActor, { collection, decision }, place.record)
  const [viewed] = record ? await viewRecords(deps, { queryActor, collection, decision }, [record]) : []
  if (!viewed) throw recordNotFound(collection, place.record)
  return viewed
}

/** Reads what is needed of several records at once. */
export async function viewRecords(
  deps: RecordDeps,
  viewer: Viewer,
  records: readonly CollectionRecord[],
): Promise<readonly Viewed[]> {
  const { queryActor, collection, decision } = viewer
  const { read, readByKey, readBriefly } = deps.database
  const ids = records.map(({ id }) => id)
  const [oldest] = ids.toSorted()
  if (oldest === undefined) return []
  const [former, since, newest, imports, hiddenIn] = await Promise.all([
    definitionsSince(readBriefly, collection.id, oldest),
    historyCutoff(readByKey, queryActor.now),
    newestEntries(read, ids, FIRST_STEP + 1),
    importsOf(readBriefly, collection.id, ids),
    hiddenFieldsIn(deps, queryActor, { collection, decision, fields: collection.fields, areWhole: true }, records),
  ])
  const shared = { ...viewer, former, since, deciding: decidingFields(viewer) }
  return records.map((record) => ({
    ...shared,
    record,
    hidden: hiddenIn(record),
    newest: newest.get(record.id),
    importId: imports.get(record.id) ?? null,
  }))
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
function pastReader({
  queryActor,
  collection,
  decision,
  record,
  hidden,
  deciding,
  former,
}: Viewed): (state: PastState) => FieldFilter {
  const isReadNow: FieldFilter = (field) => !hidden.has(field)
  if (decision.where === undefined && decision.partlyHidden === undefined)
    return ({ values }) => (values === null ? ALL : isReadNow)
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
export function decidingFields({ queryActor, collection, decision }: Viewer): readonly FieldId[] | undefined {
  const fields = new Set<FieldId>()
  for (const where of [decision.where, ...(decision.partlyHidden?.values() ?? [])]) {
    if (where === undefined) continue
    // The same value may have been decided differently at another time.
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
const creationEntry = ({ record, importId }: Viewed): StoredEntry => ({
  id: record.id,
  at: record.createdAt,
  userId: record.createdBy,
  kind: 'created',
  before: null,
  after: null,
  note: null,
  changeSet: importId,
  via: importId === null ? null : 'import',
  sourceId: importId,
  bytes: 0,
  isDerived: true,
})

/** Entries read in the first step, and at most in later ones: long texts may take a lot of memory. */
const FIRST_STEP = 8
const MAX_STEP = 100

/** Limits for one request; older entries are not listed. */
const MAX_ENTRIES = 2000
const MAX_BYTES = 16 * 1024 * 1024

type Step = { readonly last: string | undefined; readonly size: number; readonly wasCreated: boolean }

/** Some entries, and the next older one, which tells who changed the record before. An erased entry ends the history. */
async function readStep(deps: RecordDeps, viewed: Viewed, { last, size, wasCreated }: Step) {
  const { record, since, newest } = viewed
  const older = { before: last, limit: size + 1 }
  const stored = (last === undefined ? newest : undefined) ?? (await findEntries(deps.database.read, record.id, older))
  const erased = stored.findIndex(({ isErased }) => isErased)
  const found = erased === -1 ? stored : stored.slice(0, erased)
  const [step, isEnd] = [found.slice(0, size), found.length <= size]
  const hasCreation = wasCreated || step.some(({ kind }) => kind === 'created')
  const isCut = erased !== -1 || (since !== undefined && record.createdAt < since)
  if (isEnd && !hasCreation && !isCut) step.push(creationEntry(viewed))
  return { step, next: found[size], isEnd }
}

/** The entries of a record, newest first: its states are calculated backwards from the current values. */
export async function* walkHistory(deps: RecordDeps, viewed: Viewed): AsyncGenerator<PastEntry> {
  const { collection, record, former } = viewed
  const readerOf = pastReader(viewed)
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

export const CHANGES: ReadonlySet<HistoryKind> = new Set(['changed', 'moved'])
