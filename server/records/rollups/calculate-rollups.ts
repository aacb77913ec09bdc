import type { Collection } from '#domain/collections/collection.ts'
import type { Field, RollupKind } from '#domain/fields/field.ts'
import { resultField } from '#domain/formulas/value-field.ts'
import type { RecordValues } from '#domain/records/record.ts'
import { rollupPlan } from '#domain/rollups/rollup-plan.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { valueOfCell } from '#server/records/values/row-mapping.ts'
import { calculatedCells } from './values-store.ts'

/** The values of lookups, counts and rollups in a record, whether or not they are stored. */
export async function calculateRollups(
  { database, definitions }: { readonly database: Database; readonly definitions: Definitions },
  collection: Collection,
  rollups: readonly Field<RollupKind>[],
  record: RecordId,
): Promise<RecordValues> {
  const context = { collection, collectionOf: (id: string) => definitions.byId.get(id), timeZone: definitions.timeZone }
  const plans = rollups.map((rollup) => rollupPlan(rollup, context)).flatMap((plan) => (plan.ok ? [plan.value] : []))
  const cells = plans.length === 0 ? [] : await calculatedCells(database, plans, definitions, record)
  return Object.fromEntries(plans.map(({ field }, at) => [field.id, valueOfCell(resultField(field), cells[at])]))
}
