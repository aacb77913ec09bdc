import type { z } from 'zod'
import type { restoreVersion as endpoint } from '#api/history.ts'
import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, isEntered } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import type { NamedValues } from '#domain/records/check-values.ts'
import { nameValues } from '#domain/records/named-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { sameJson } from '#domain/shared/json.ts'
import { Problem } from '#domain/shared/problem.ts'
import { frozenAmong } from '#domain/workflow/evaluate-transition.ts'
import { choosableAmong } from '#server/access/people/routes.ts'
import { definitionAt } from '#server/records/changes/definition-store.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { visibleRecords } from '#server/records/crud/visible-records.ts'
import { updateRecord } from '#server/records/crud/write-record.ts'
import { restoredValues } from '#server/records/restore/restored-values.ts'
import { findVersion, type Version } from './record-history.ts'

type Body = z.output<(typeof endpoint)['body']>

type Place = { readonly collection: string; readonly record: string; readonly entry: string }

/** Restores values of a record from before or after a change. The values are checked like any others. */
export async function restoreVersion(
  deps: RecordDeps,
  actor: Actor,
  place: Place,
  { side, fields, version }: Body,
): Promise<RecordBody> {
  const found = await findVersion(deps, actor, place, place.entry)
  if (!found?.states[side]) throw new Problem('not-found', 'This version doesn’t exist.')
  return updateRecord(deps, actor, place, {
    version,
    changeSet: { via: 'restore' },
    values: (writing, before, collection) =>
      restoredNames(writing, collection, { before, version: found, side, wanted: fields }),
  })
}

type Restoring = {
  readonly before: CollectionRecord
  readonly version: Version
  readonly side: Body['side']
  /** Field names; undefined for every field that can be restored. */
  readonly wanted: readonly string[] | undefined
}

/** Statuses change only by transitions, and auto numbers never; calculated values aren't stored. */
const isRestorable = (field: Field): boolean =>
  field.kind !== 'state' && field.kind !== 'auto-number' && isEntered(field)

async function restoredNames(writing: Writing, collection: Collection, restoring: Restoring): Promise<NamedValues> {
  const { before, wanted } = restoring
  const restored: { [name: string]: unknown } = {}
  for (const field of fieldsToRestore(writing, collection, restoring)) {
    const found = await restoredValue(writing, collection, field, restoring)
    if (found.isLost && wanted !== undefined) throw notRestorable(field)
    if (found.isLost || sameJson(found.value, before.values[field.id] ?? emptyValue(field))) continue
    Object.assign(restored, nameValues({ ...collection, fields: [field] }, { [field.id]: found.value }, new Set()))
  }
  return restored
}

type FoundValue = { readonly value: FieldValue; readonly isLost: boolean }

/** The former value of a field, as a value of the current field; lost if part of what it contained is out of reach. */
async function restoredValue(
  writing: Writing,
  collection: Collection,
  field: Field,
  { before, version, side }: Restoring,
): Promise<FoundValue> {
  const past = version.states[side]?.[field.id] ?? emptyValue(field)
  const source = version.sourceOf(side, field.id)
  if (source === undefined) return { value: past, isLost: false }
  const then = await definitionAt(writing.transaction.db, collection.id, source)
  const deleted = [{ id: before.id, values: { [field.id]: past } }]
  const { values } = await restoredValues(writing, { ...collection, fields: [field] }, deleted, then)
  const found = values.get(before.id)?.[field.id] ?? null
  const { value, kept } = await reachablePart(writing, field, found, before)
  return { value, isLost: sizeOf(value) - kept < sizeOf(past) }
}

const sizeOf = (value: FieldValue): number =>
  Array.isArray(value) ? value.length : value === null || value === '' ? 0 : 1

type Reachable = { readonly value: FieldValue; readonly kept: number }

/**
 * The links and people that can still be chosen. Records that the actor can't see are treated like deleted ones; links
 * to such records that the field has today are kept.
 */
async function reachablePart(
  writing: Writing,
  field: Field,
  value: FieldValue,
  before: CollectionRecord,
): Promise<Reachable> {
  if (value === null || (field.kind !== 'relation' && field.kind !== 'user')) return { value, kept: 0 }
  const current = idsOf(before.values[field.id])
  const ids = idsOf(value)
  const seen = await selectable(writing, field, [...ids, ...current])
  const reachable = ids.filter((id) => seen.has(id))
  if (!Array.isArray(value)) return { value: reachable[0] ?? null, kept: 0 }
  const hidden = field.kind === 'relation' ? current.filter((id) => !seen.has(id)) : []
  return { value: [...reachable, ...hidden], kept: hidden.length }
}

const idsOf = (value: FieldValue | undefined): string[] =>
  value === null || value === undefined ? [] : [value].flat().map(String)

async function selectable(writing: Writing, field: Field, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (field.kind !== 'relation') return choosableAmong(writing.transaction.db, ids)
  const target = writing.definitions.byId.get(field.options.collection)
  const reading = decide(writing.actor, 'records:read', target)
  return target && reading.allowed ? visibleRecords(writing, target, reading, ids) : new Set<string>()
}

function fieldsToRestore(
  { actor }: Writing,
  collection: Collection,
  { before, version, side, wanted }: Restoring,
): readonly Field[] {
  const updating = decide(actor, 'records:update', collection)
  const frozen = new Set(
    frozenAmong(
      collection,
      before.values,
      collection.fields.map(({ id }) => id),
    ).map(({ id }) => id),
  )
  const isWritable = ({ id }: Field): boolean =>
    updating.allowed && !updating.hiddenFields.has(id) && !updating.partlyHidden?.has(id) && !frozen.has(id)
  const known = collection.fields.filter(({ id }) => version.readable[side](id))
  if (wanted === undefined) return known.filter((field) => isRestorable(field) && isWritable(field))
  return wanted.map((name) => {
    const field = known.find((one) => one.name === name)
    if (!field) throw unknownField(collection, name)
    if (!isRestorable(field)) throw notRestorable(field)
    return field
  })
}

const unknownField = ({ label }: Collection, name: string): Problem =>
  new Problem('invalid-request', `There is no field “${name}” in ${label}.`, {
    errors: [{ path: 'fields', code: 'unknown-field', message: `There is no field “${name}”.` }],
  })

function notRestorable({ name, label, kind }: Field): Problem {
  const reasons: { readonly [kind: string]: string } = {
    state: 'Use a transition instead.',
    'auto-number': 'Auto numbers never change.',
  }
  const message = `${label} can’t be restored. ${reasons[kind] ?? 'The option, file or linked record no longer exists.'}`
  return new Problem('values-invalid', `Nothing was saved. ${message}`, {
    errors: [{ path: name, code: 'not-restorable', message }],
  })
}
