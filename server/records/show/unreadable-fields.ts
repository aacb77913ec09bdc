import { decide, unreadableFields } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { HiddenFieldsOf } from './hidden-fields-in.ts'
import { isVisibleByValues } from '#server/access/record-access/authorized-query.ts'
import { type WriteContext, visibleRecords } from '#server/records/crud/visible-records.ts'

/** Fields that must not be revealed in each of these records; all fields of an unreadable record. */
export async function unreadableFieldsIn(
  inside: WriteContext,
  collection: Collection,
  records: readonly CollectionRecord[],
): Promise<HiddenFieldsOf> {
  const { definitions, actor, at } = inside
  const unread = unreadableFields(actor, collection)
  const reading = decide(actor, 'records:read', collection)
  if (!reading.allowed || reading.where === undefined) return () => unread

  const queryActor = { definitions, actor, now: new Date(at) }
  const outcomes = new Map(
    records.map((record) => [record.id, isVisibleByValues(queryActor, collection, reading, record)]),
  )
  const unclear = [...outcomes].flatMap(([id, outcome]) => (outcome === undefined ? id : []))
  const found = unclear.length > 0 ? await visibleRecords(inside, collection, reading, unclear) : NOTHING
  const isRead = ({ id }: CollectionRecord): boolean => outcomes.get(id) ?? found.has(id)
  const all: HiddenFields = records.every(isRead) ? unread : new Set(collection.fields.map(({ id }) => id))
  return (record) => (isRead(record) ? unread : all)
}

const NOTHING: ReadonlySet<string> = new Set()
