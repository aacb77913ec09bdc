import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { linksRemovedBy, withRestoredLinks } from '#domain/records/restored-links.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { Json } from '#domain/shared/json.ts'
import type { Change, LoggedChange } from '#server/records/changes/change-log.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { withoutRuleChecks } from '#server/records/changes/record-changes.ts'
import { lockRecords } from '#server/records/crud/read-record.ts'
import { existingRecords } from '#server/records/crud/store.ts'
import { writeChangedValues } from '#server/records/write/write-records.ts'

/**
 * Restores the links that deletions removed, as far as their targets exist again; `entries` are newest first, and
 * `only` limits the targets. The actor need not see the linking records, as for their deletion.
 */
export async function restoreLinks(
  writing: Writing,
  entries: readonly LoggedChange[],
  only?: ReadonlySet<RecordId>,
): Promise<Change[]> {
  const changes: Change[] = []
  for (const [id, own] of Map.groupBy(entries, ({ collection }) => collection)) {
    const collection = id === null ? undefined : writing.definitions.byId.get(id)
    if (collection) changes.push(...(await restoreLinksIn(writing, collection, own, only)))
  }
  return changes
}

async function restoreLinksIn(
  writing: Writing,
  collection: Collection,
  entries: readonly LoggedChange[],
  only: ReadonlySet<RecordId> | undefined,
): Promise<Change[]> {
  const removals = entries.flatMap((entry) => removalsIn(collection, entry))
  const existing = new Map<CollectionId, ReadonlySet<RecordId>>()
  for (const [target, own] of Map.groupBy(removals, (removal) => removal.target)) {
    const ids = new Set(own.flatMap(linksRemovedBy))
    const targets = [...ids].filter((one) => only?.has(one) !== false)
    existing.set(target, await existingRecords(writing.transaction, target, targets))
  }
  const changes: Change[] = []
  const byRecord = Map.groupBy(removals, ({ record }) => record)
  for (const record of await lockRecords(writing, collection, [...byRecord.keys()])) {
    const values: { [field: string]: FieldValue } = {}
    for (const removal of byRecord.get(record.id) ?? []) {
      const { field, target } = removal
      const current = idsOf(values[field.id] ?? record.values[field.id])
      if (!holdsList(field) && current.length > 0) continue
      const links = withRestoredLinks(current, removal, existing.get(target) ?? NONE)
      if (links.length > current.length) values[field.id] = holdsList(field) ? [...links] : (links[0] ?? null)
    }
    changes.push(...(await writeChangedValues(withoutRuleChecks(writing), collection, record, { values })).changes)
  }
  return changes
}

const NONE: ReadonlySet<RecordId> = new Set()

type Removal = {
  readonly record: RecordId
  readonly field: Field
  readonly target: CollectionId
  readonly before: readonly RecordId[]
  readonly after: readonly RecordId[]
}

function removalsIn(collection: Collection, { record, before, after }: LoggedChange): Removal[] {
  if (record === null) return []
  return Object.entries(valuesOf(before)).flatMap(([id, was]) => {
    const field = fieldById(collection, id)
    if (field?.kind !== 'relation') return []
    return { record, field, target: field.options.collection, before: idsOf(was), after: idsOf(valuesOf(after)[id]) }
  })
}

const valuesOf = (logged: Json | null): { readonly [field: string]: Json } =>
  typeof logged === 'object' && logged !== null && !Array.isArray(logged)
    ? (logged as { readonly [field: string]: Json })
    : {}

function idsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.map(String) : []
}
