import type { Collection } from '#domain/collections/collection.ts'
import { rollupsBehind } from '#domain/formulas/formula-fields.ts'
import { isComputed, rollupsIn } from '#domain/formulas/value-field.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { rollupsOf, withDependents } from './rollup-plans.ts'
import { pendingRecalculations } from './rollups-store.ts'

type RecalculationReader = {
  readonly database: Pick<Database, 'readByKey'>
  /** Answers about an earlier time contain none of these values. */
  readonly isPast?: boolean | undefined
}

type Viewed = {
  readonly definitions: Definitions
  readonly collection: Collection
  /** Fields that the actor can't read in any record. */
  readonly hidden: HiddenFields
}

/** Runs a query; `recalculating` are the visible fields that were being recalculated before or after it. */
export async function withRecalculating<Answer extends object>(
  reader: RecalculationReader,
  { definitions, collection, hidden }: Viewed,
  read: () => Promise<Answer>,
): Promise<Answer & { readonly recalculating?: string[] }> {
  if (reader.isPast === true) return read()
  const before = await recalculatingFields(reader, definitions, collection)
  const answer = await read()
  const after = await recalculatingFields(reader, definitions, collection)
  const names = collection.fields
    .filter(({ id }) => !hidden.has(id) && (before.has(id) || after.has(id)))
    .map(({ name }) => name)
  return names.length === 0 ? answer : { ...answer, recalculating: names }
}

/** The fields whose values depend on rollups that are being recalculated, or whose definitions aren't valid. */
async function recalculatingFields(
  { database }: RecalculationReader,
  definitions: Definitions,
  { id: collection, fields }: Collection,
): Promise<ReadonlySet<FieldId>> {
  const rollups = rollupsIn(fields)
  if (rollups.length === 0) return new Set()
  const pending = (await pendingRecalculations(database.readByKey)).map(({ field }) => field)
  const graph = rollupsOf(definitions)
  const valid = new Set(graph.plans.map(({ field }) => field.id))
  const stale = new Set([
    ...withDependents(graph, pending).flatMap(({ home, field }) => (home === collection ? field.id : [])),
    ...rollups.map(({ id }) => id).filter((id) => !valid.has(id)),
  ])
  const computed = fields
    .filter(isComputed)
    .filter((field) => rollupsBehind(field, fields).some(({ id }) => stale.has(id)))
  return new Set(computed.map(({ id }) => id))
}
