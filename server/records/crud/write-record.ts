import type { RecordBody } from '#api/records.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { checkChangedValues, checkNewValues, fieldsNamed, type NamedValues } from '#domain/records/check-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { Problem } from '#domain/shared/problem.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { checkedQuery, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { selectPage } from '#server/query/run/run-records-query.ts'
import type { ChangeSetDetails } from '#server/records/changes/change-log.ts'
import { calendarAt, commitChange, type WriteResult, type Writing } from '#server/records/changes/commit-change.ts'
import { showRecord } from '#server/records/show/show-records.ts'
import { recordTitles } from '#server/records/show/visible-titles.ts'
import { withGrantedDefaults } from '#server/records/values/granted-defaults.ts'
import { validValues } from '#server/records/values/value-errors.ts'
import { withoutStartRestriction } from '#server/records/workflow/transition-problems.ts'
import { assertWritableFields, partlyWritableFields } from '#server/records/write/assert-writable-fields.ts'
import { type NewRecord, writeNewRecord } from '#server/records/write/write-new-records.ts'
import { writeChangedRecord, writeRemovedRecords } from '#server/records/write/write-records.ts'
import { lockRecords } from './read-record.ts'
import type { RecordDeps } from './record-deps.ts'
import { findCreatedRecord } from './store.ts'
import { assertInScope, getVisible, isVisible } from './visible-records.ts'

/** A requested change; without `version` the last writer wins. */
export type RecordChange = {
  readonly values:
    | NamedValues
    | ((writing: Writing, before: CollectionRecord, collection: Collection) => Promise<NamedValues>)
  readonly version?: number | undefined
  readonly changeSet?: ChangeSetDetails
}

type Stale = { readonly collection: Collection; readonly stale: CollectionRecord }
type Updated = { readonly collection: Collection; readonly record: CollectionRecord }

/** Updates fields of a record. A stale version is rejected with the current record. */
export async function updateRecord(
  deps: RecordDeps,
  actor: Actor,
  place: { readonly collection: string; readonly record: string },
  change: RecordChange,
): Promise<RecordBody> {
  const update = async (writing: Writing): Promise<WriteResult<Updated | Stale>> => {
    const { collection, decision } = getCollection(writing.definitions, actor, 'records:update', place.collection)
    const before = await getVisible(writing, collection, decision, place.record)
    if (change.version !== undefined && change.version !== before.version) {
      return { answer: { collection, stale: before }, changes: [], events: [] }
    }

    const given = typeof change.values === 'function' ? await change.values(writing, before, collection) : change.values
    const partly = partlyWritableFields(actor, { collection, decision }, given)
    const values = validValues(checkChangedValues(collection, given, decision.hiddenFields))
    await assertWritableFields(writing, { collection, decision }, partly, [before.id])
    const { record, changes } = await writeChangedRecord(writing, collection, before, values)
    await assertInScope(writing, collection, decision, record)
    await assertWritableFields(writing, { collection, decision }, partly, [record.id])
    return {
      answer: { collection, record },
      changes,
      ...(change.changeSet && { changeSet: change.changeSet }),
      events: changes.length > 0 ? [{ type: 'records-changed', collection: collection.id, records: [record.id] }] : [],
    }
  }

  const { values } = change
  const options =
    typeof values === 'function' ? {} : { explainDuplicate: namingLinkHolder(deps, actor, place.collection, values) }
  const outcome = await commitChange(deps, actor, update, options)
  if ('record' in outcome) return showRecord(deps, actor, outcome.collection, outcome.record)
  throw new Problem('version-conflict', 'Someone else edited this record. Your changes aren’t saved yet.', {
    extra: { current: await showRecord(deps, actor, outcome.collection, outcome.stale) },
  })
}

export function deleteRecord(
  deps: RecordDeps,
  actor: Actor,
  place: { readonly collection: string; readonly record: string },
): Promise<void> {
  return commitChange(deps, actor, async (writing) => {
    const { collection, decision } = getCollection(writing.definitions, actor, 'records:delete', place.collection)
    const record = await getVisible(writing, collection, decision, place.record)
    const changes = await writeRemovedRecords(writing, collection, [record])
    return {
      answer: undefined,
      changes,
      changeSet: { isDeletion: true },
      events: [{ type: 'records-changed', collection: collection.id, records: [record.id] }],
    }
  })
}

/** Creates a record. If a request is repeated with the same key, the record of the first request is returned. */
export async function createRecord(
  deps: RecordDeps,
  actor: Actor,
  place: { readonly collection: string; readonly key?: string | undefined },
  given: NamedValues,
): Promise<RecordBody> {
  const userId = userIdOf(actor)
  const once = place.key === undefined || userId === null ? undefined : { userId, key: place.key }
  const create = async (writing: Writing) => {
    const earlier = once && (await findCreatedWith(writing, place.collection, once))
    if (earlier) return { answer: earlier, changes: [], events: [] }
    const { change, collection, record } = await createRecordIn(writing, place.collection, given)
    return {
      answer: { collection, record },
      changes: [change],
      events: [{ type: 'records-changed', collection: collection.id, records: [record.id] } as const],
      ...(once && { changeSet: { idempotencyKey: once.key } }),
    }
  }
  // A retry may run concurrently with the original request.
  const { collection, record } = await commitChange(deps, actor, create, {
    ...(once && { alone: `create ${once.userId} ${once.key}` }),
    explainDuplicate: namingLinkHolder(deps, actor, place.collection, given),
  })
  return showRecord(deps, actor, collection, record)
}

/** If a record was already linked, the error names the record that links to it, unless the actor can't read it. */
const namingLinkHolder =
  (deps: RecordDeps, actor: Actor, nameOrId: string, values: NamedValues) =>
  async (problem: Problem): Promise<Problem> => {
    const [taken] = problem.details.errors ?? []
    const definitions = await deps.definitions.current()
    const collection = definitions.byId.get(nameOrId) ?? definitions.byName.get(nameOrId)
    const field = collection?.fields.find(({ name }) => name === taken?.path)
    const decision = decide(actor, 'records:read', collection)
    const value = field && values[field.name]
    if (!taken || !collection || field?.kind !== 'relation' || typeof value !== 'string') return problem
    if (!decision.allowed || decision.hiddenFields.has(field.id)) return problem
    const queryActor = { definitions, actor, now: deps.clock() }
    const filter = printFilter({ field: field.name, op: '=', value })
    const query = checkedQuery(queryActor, collection, decision, { filter, page: 1, perPage: 1 })
    const [row] = (await selectPage(scopeOf(deps, definitions), query, [])).rows
    if (!row) return problem
    const id = String(row['id'])
    const title = (await recordTitles(deps, { actor, definitions }, collection, [id])).get(id) || id
    const message = `“${title}” already links to this record, and ${field.label} can link to each record only once.`
    return new Problem('values-invalid', `Nothing was saved. ${message}`, { errors: [{ ...taken, message }] })
  }

/** The record of an earlier request; as it was created if the actor can no longer read it. */
async function findCreatedWith(
  writing: Writing,
  nameOrId: string,
  once: Parameters<typeof findCreatedRecord>[2],
): Promise<Updated | undefined> {
  const { definitions, actor, transaction } = writing
  const { collection } = getCollection(definitions, actor, 'records:create', nameOrId)
  const created = await findCreatedRecord(transaction.db, collection.id, once)
  if (!created) return undefined
  const [record] = await lockRecords(writing, collection, [created.id])
  const reading = decide(actor, 'records:read', collection)
  const isReadable = record && reading.allowed && (await isVisible(writing, collection, reading, record))
  return { collection, record: isReadable ? record : created }
}

export type CreatedRecord = NewRecord & { readonly collection: Collection }

export async function createRecordIn(writing: Writing, nameOrId: string, given: NamedValues): Promise<CreatedRecord> {
  const { actor } = writing
  const { collection, decision } = getCollection(writing.definitions, actor, 'records:create', nameOrId)
  const partly = partlyWritableFields(actor, { collection, decision }, given)
  const started = withoutStartRestriction(actor, withGrantedDefaults(writing, { collection, decision }, given))
  const values = validValues(checkNewValues(started, given, decision.hiddenFields, calendarAt(writing)))
  const { record, change } = await writeNewRecord(writing, collection, values, fieldsNamed(collection, given))
  await assertInScope(writing, collection, decision, record)
  await assertWritableFields(writing, { collection, decision }, partly, [record.id])
  return { collection, record, change }
}
