import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide, intersectDecisions } from '#domain/access/decide.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, hasSelectOptions, holdsList } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import { collectionFormulas, fieldsOfLinkedValues } from '#domain/formulas/formula-fields.ts'
import { formulaInputs } from '#domain/formulas/formula-inputs.ts'
import { isFormula } from '#domain/formulas/value-field.ts'
import { optionName } from '#domain/fields/select.ts'
import { collectionsRead, isMember } from '#domain/query/list/evaluate-change.ts'
import { everythingVisible } from '#domain/query/list/records-query.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { type FieldId, idLowerBound, type RecordId } from '#domain/shared/ids.ts'
import { sameJson } from '#domain/shared/json.ts'
import { idsInside, type QueryActor, queryContext, scopeOf } from '#server/access/record-access/authorized-query.ts'
import type { Listing } from '#server/query/cache/cache-subject.ts'
import type { ListCache } from '#server/query/cache/list-cache.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { countRecords, selectGroups, selectPage } from '#server/query/run/run-records-query.ts'
import { historyCutoff } from '#server/records/changes/retention.ts'
import { definitionsSince } from '#server/records/changes/definition-store.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { isLimited } from '#server/records/activity/seen-changes.ts'
import { readableByValues, unchangedSince, wasCovered } from '#server/records/history/past-access.ts'
import { decidingFields } from '#server/records/history/walk-history.ts'
import { hiddenFieldsIn } from '#server/records/show/hidden-fields-in.ts'
import { findPermitted } from '#server/records/trash/restore-from-trash.ts'
import { badTime, currentRecords, lastChangesBefore, newestEntry, type PastState, statesAt } from './as-of-store.ts'
import { jsonOf, type PastReaders, type PastRecord, pastReaders } from './past-store.ts'

/** Maximum number of records changed since; their former values are sent with each statement. */
const MAX_CHANGED = 50_000

type Place = {
  readonly collection: string
  /** undefined: now. */
  readonly at: string | undefined
  /** A permission needed in addition to reading. */
  readonly also?: Permission
}

/**
 * Dependencies for reading a collection as it was at a time, with the actor's current permissions: a record or field is
 * readable if it is now and would have been with the values of that time. Linked records, users and files are as they
 * are now.
 */
export async function depsAsOf<Deps extends RecordDeps>(
  deps: Deps,
  actor: Actor,
  { collection: name, at: time, also }: Place,
): Promise<Deps> {
  if (time === undefined) return deps
  const at = new Date(time).toISOString()
  const now = deps.clock()
  if (at > now.toISOString()) throw badTime('The time must be in the past.')
  const start = await historyCutoff(deps.database.read, now)
  if (start !== undefined && at < start) throw badTime('The history doesn’t go back that far. Use a later time.')
  const definitions = await deps.definitions.current()
  const { collection, decision: reading } = getCollection(definitions, actor, 'records:read', name)
  const other = also && decide(actor, also, collection)
  const decision = other?.allowed ? intersectDecisions(reading, other) : reading
  const viewer = { queryActor: { actor, definitions, now }, collection, decision }
  if (dependsOnItself(viewer))
    throw badTime('An earlier time can’t be shown: your access depends on other records here.')
  const { read, dialect } = deps.database
  const changed = await statesAt(read, collection.id, at, MAX_CHANGED)
  const records = changed.size === 0 ? [] : await recordsThen(deps, viewer, at, changed)
  const readers = pastReaders(read, dialect, { collection, at, records })
  const database = { ...deps.database, read: readers.then, readByKey: readers.then, readBriefly: readers.then }
  const withoutIndexes = { isPast: true, recordQueryTime: undefined, isIndexed: undefined }
  return { ...deps, ...withoutIndexes, database, shapes: uncached(deps, definitions, readers) }
}

/**
 * Whether access to a record depends on others of the same collection. The statements read all of them as they were, so
 * access to unchanged records would change.
 */
function dependsOnItself({ queryActor, collection, decision }: Viewer): boolean {
  const conditions = [decision.where, ...(decision.partlyHidden?.values() ?? [])]
  return conditions.some((where) => {
    if (where === undefined) return false
    const context = queryContext(queryActor, collection, { ...decision, where })
    return collectionsRead(everythingVisible(context), []).has(collection.id)
  })
}

/** Queries without caches, which contain current values. */
const uncached = (deps: RecordDeps, definitions: Definitions, readers: PastReaders): ListCache => ({
  ...deps.shapes,
  page: ({ scope, query }, fields) => selectPage(scope, query, fields),
  total: async (listing, mode) =>
    (mode === 'exact' ? await totalByDifference(deps, definitions, readers, listing) : undefined) ??
    countRecords(listing.scope, listing.query, mode),
  glance: () => Promise.resolve(undefined),
  groups: ({ scope, query }, grouping) => selectGroups(scope, query, grouping),
})

/**
 * The current total, which is cached, without the records that were changed or created since, and with the changed ones
 * as they were. Undefined if the records of the collection depend on one another, or if some were just changed.
 */
async function totalByDifference(
  deps: RecordDeps,
  definitions: Definitions,
  { changedThen, changedNow }: PastReaders,
  listing: Listing,
): Promise<{ readonly total: number; readonly totalIs: 'exact' } | undefined> {
  const { scope, query, definitionsVersion } = listing
  const { id } = query.collection
  if (definitionsVersion !== definitions.version || collectionsRead(query, []).has(id)) return undefined
  const before = await newestEntry(deps.database.read, id)
  const current = await deps.shapes.total({ ...listing, scope: scopeOf(deps, definitions) }, 'exact')
  if (current.totalIs !== 'exact') return undefined
  const [was, is] = await Promise.all(
    [changedThen, changedNow].map((reader) => countRecords({ ...scope, reader }, query, 'exact')),
  )
  if ((await newestEntry(deps.database.read, id)) !== before) return undefined
  return { total: current.total - (is?.total ?? 0) + (was?.total ?? 0), totalIs: 'exact' }
}

type Viewer = {
  readonly queryActor: QueryActor
  readonly collection: Collection
  readonly decision: AllowedDecision
}

type Changed = ReadonlyMap<RecordId, PastState>

/** The changed records that the actor can read now, or in the trash, with their values at a time. */
async function recordsThen(deps: RecordDeps, viewer: Viewer, at: string, changed: Changed): Promise<PastRecord[]> {
  const { collection } = viewer
  const { read, dialect } = deps.database
  const deciding = decidingFields(viewer)
  const needed = { ...collection, fields: fieldsNeeded(viewer, changed, deciding) }
  const [existing, lastChanges] = await Promise.all([
    currentRecords(read, dialect, needed, [...changed.keys()]),
    lastChangesBefore(read, collection.id, at),
  ])
  const readable = await readableNow(deps, viewer, existing)
  const present = new Set(existing.map(({ id }) => id))
  const left = [...changed.keys()].filter((id) => !present.has(id))
  const trashed = await trashedRecords(deps, viewer, left)
  const known = [...existing.filter(({ id }) => readable.has(id)), ...trashed].filter(
    ({ createdAt }) => createdAt <= at,
  )
  const isTrashed = new Set(trashed.map(({ id }) => id))
  const start = idLowerBound(Date.parse(at))
  const part = unchangedSince(collection, await definitionsSince(read, collection.id, start), start)
  const closedNow = await hiddenNow(deps, viewer, known, isTrashed)
  const closedThen = hiddenThen(viewer, { part, at, deciding })
  const calculated = fieldsOfShownFormulas(viewer)
  const shownOf = { existing: shownValues(needed, part), trashed: shownValues(collection, part) }
  return known.flatMap((record): PastRecord[] => {
    const then = changed.get(record.id)
    if (!then?.values || then.isErased) return []
    const values = then.isWhole ? then.values : { ...record.values, ...then.values }
    const { updatedAt, updatedBy } = lastChanges.get(record.id) ?? {
      updatedAt: record.createdAt,
      updatedBy: record.createdBy,
    }
    const past = { ...record, version: record.version - then.versions, updatedAt, updatedBy, values }
    const hidden = closedThen(past, record.values)
    if (hidden === 'all') return []
    const closed = [...closedNow(record), ...hidden]
    // Conditions and formulas would be evaluated without these values, and closed formulas shown all the same.
    if (closed.some((field) => calculated.has(field) || (deciding?.includes(field) ?? true))) return []
    const now = isTrashed.has(record.id) ? null : record.values
    const shown = shownOf[now ? 'existing' : 'trashed']({ then: values, now: record.values }, closed)
    return [{ ...past, values: shown, now }]
  })
}

/** The formulas that the actor can read in some records, and the fields that they read. */
function fieldsOfShownFormulas({ collection, decision }: Viewer): ReadonlySet<FieldId> {
  const unknown = fieldsOfLinkedValues(collection)
  const formulas = collectionFormulas(collection)
  const shown = collection.fields.filter(({ id }) => !unknown.has(id) && !decision.hiddenFields.has(id))
  return new Set(
    shown.filter(isFormula).flatMap(({ id }) => {
      const formula = formulas.get(id)
      const inputs = formula?.ok === true ? formulaInputs(formula.value) : []
      return [id, ...inputs.flatMap((input) => (input.node === 'field' ? input.field.id : []))]
    }),
  )
}

/**
 * The fields whose values are needed of records that still exist; the others have the same values as now. If records were
 * deleted since, lists are read as a whole.
 */
function fieldsNeeded(
  { collection, decision }: Viewer,
  changed: Changed,
  deciding: readonly FieldId[] | undefined,
): readonly Field[] {
  const { fields } = collection
  const isLimitedBy = isLimited(decision) ? deciding : []
  if (!isLimitedBy) return fields
  const needed = new Set([...isLimitedBy, ...(decision.partlyHidden?.keys() ?? [])])
  const states = [...changed.values()]
  for (const { values } of states) for (const field of Object.keys(values ?? {})) needed.add(field)
  const areListsNeeded = states.some(({ isWhole }) => isWhole)
  return fields.filter((field) => needed.has(field.id) || (areListsNeeded && holdsList(field)))
}

type Then = {
  /** The collection with the fields whose type hasn't changed since. */
  readonly part: Collection
  readonly at: string
  /** The fields on which access depends; undefined if also on other data. */
  readonly deciding: readonly FieldId[] | undefined
}

/**
 * The fields that the actor couldn't read in a record as it was; `all` if they couldn't read the record. While the values
 * on which this depends are unchanged, the conditions in the statement decide; otherwise the values of that time alone,
 * so that nothing is shown if it depends on other records.
 */
function hiddenThen(
  { queryActor, decision }: Viewer,
  { part, at, deciding }: Then,
): (past: CollectionRecord, now: RecordValues) => readonly FieldId[] | 'all' {
  if (!isLimited(decision)) return () => []
  const comparable = new Set(part.fields.map(({ id }) => id))
  return (record, now) => {
    const isSame = (field: FieldId): boolean =>
      comparable.has(field) && sameJson(jsonOf(record.values[field]), jsonOf(now[field]))
    if (deciding?.every(isSame)) return []
    const past = { record, at }
    if (!wasCovered(queryActor, part, decision, past)) return 'all'
    const isReadable = readableByValues(queryActor, part, decision, past)
    return [...(decision.partlyHidden?.keys() ?? [])].filter((field) => !isReadable(field))
  }
}

/**
 * The values of a time for the current fields. Fields whose type has changed since have their current value, and closed
 * fields and options that were deleted are empty.
 */
function shownValues({ fields }: Collection, part: Collection) {
  const comparable = new Set(part.fields.map(({ id }) => id))
  return (
    { then, now }: { readonly then: RecordValues; readonly now: RecordValues },
    closed: readonly FieldId[],
  ): RecordValues => {
    const shown: { [field: FieldId]: FieldValue } = {}
    for (const field of fields) {
      const value = (comparable.has(field.id) ? then : now)[field.id]
      shown[field.id] =
        closed.includes(field.id) || value === undefined ? emptyValue(field) : withKnownOptions(field, value)
    }
    return shown
  }
}

function withKnownOptions(field: Field, value: FieldValue): FieldValue {
  if (!hasSelectOptions(field)) return value
  const isKnown = (one: unknown): boolean => typeof one === 'string' && optionName(field, one) !== undefined
  if (Array.isArray(value)) return value.filter(isKnown)
  return isKnown(value) ? value : null
}

async function readableNow(
  deps: RecordDeps,
  { queryActor, collection, decision }: Viewer,
  records: readonly CollectionRecord[],
): Promise<ReadonlySet<RecordId>> {
  const ids = records.map(({ id }) => id)
  if (decision.where === undefined) return new Set(ids)
  const isPending = queryActor.definitions.pendingImports.length > 0
  const visible = everythingVisible(queryContext(queryActor, collection, decision))
  const outcomes = records.map((record) => (isPending ? undefined : isMember(visible, record)))
  // The others depend on other records.
  const left = ids.filter((_, at) => outcomes[at] === undefined)
  const inside = await idsInside(scopeOf(deps, queryActor.definitions), queryActor, { collection, decision }, left)
  return new Set(ids.filter((id, at) => outcomes[at] ?? inside.has(id)))
}

/** Records in the trash, with their values when they were deleted. */
async function trashedRecords(
  deps: RecordDeps,
  { queryActor, collection }: Viewer,
  records: readonly RecordId[],
): Promise<CollectionRecord[]> {
  if (records.length === 0) return []
  const wanted = { records, permissions: ['records:read'] } as const
  const deletions = await findPermitted(deps, deps.database.read, queryActor, wanted)
  return deletions.map(({ record: id, values, meta }) => ({ ...meta, id, collection: collection.id, values }))
}

/** The partly hidden fields that the actor can't read now, which must not be shown although they were readable then. */
async function hiddenNow(
  deps: RecordDeps,
  { queryActor, collection, decision }: Viewer,
  records: readonly CollectionRecord[],
  isTrashed: ReadonlySet<RecordId>,
): Promise<(record: CollectionRecord) => readonly FieldId[]> {
  const { partlyHidden, hiddenFields } = decision
  if (partlyHidden === undefined) return () => []
  const existing = records.filter(({ id }) => !isTrashed.has(id))
  const shown = { collection, decision, fields: collection.fields, areWhole: true }
  const hidden = await hiddenFieldsIn(deps, queryActor, shown, existing)
  return (record) => {
    const all = isTrashed.has(record.id) ? [...partlyHidden.keys()] : [...hidden(record)]
    // Fields that are hidden in every record can be used by conditions, and are never shown.
    return all.filter((field) => !hiddenFields.has(field))
  }
}
