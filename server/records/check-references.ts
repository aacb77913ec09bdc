import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordValues } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { PartProblem } from '#domain/shared/problem.ts'
import type { Writing } from '#server/changes/commit-change.ts'
import { existingRecords } from './store.ts'
import { visibleRecords } from './visible-records.ts'

/** Tells each relation that names a record which does not exist, or which the actor may not see: the same words for both. */
export async function checkReferences(
  writing: Writing,
  collection: Collection,
  values: RecordValues,
): Promise<PartProblem[]> {
  const problems: PartProblem[] = []
  for (const field of collection.fields) {
    const value = values[field.id]
    if (field.kind !== 'relation' || value === undefined || value === null) continue
    const ids = typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : []
    const reachable = await reachableRecords(writing, field.options.collection, ids)
    for (const id of ids.filter((each) => !reachable.has(each))) {
      problems.push({ path: field.name, code: 'unknown-record', message: `There is no record ${id} to point at.` })
    }
  }
  return problems
}

async function reachableRecords(
  writing: Writing,
  target: string,
  ids: readonly RecordId[],
): Promise<ReadonlySet<RecordId>> {
  const related = writing.definitions.byId.get(target)
  const decision = decide(writing.actor, 'records:read', target)
  if (!related || !decision.allowed || ids.length === 0) return new Set()

  const existing = await existingRecords(writing.transaction, target, ids)
  if (decision.where === undefined) return existing
  return visibleRecords(writing, related, decision, [...existing])
}
