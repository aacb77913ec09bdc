import type { Collection } from '#domain/collections/collection.ts'
import type { Field, RollupKind } from '#domain/fields/field.ts'
import { resultField } from '#domain/formulas/value-field.ts'
import type { RecordValues } from '#domain/records/record.ts'
import { rollupPlan } from '#domain/rollups/rollup-plan.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { Database, Transaction } from '#server/platform/database/database.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { valueOfCell } from '#server/records/values/row-mapping.ts'
import { rollupsOf } from './rollup-plans.ts'
import { calculatedCells, calculateUnindexed, recalculate } from './values-store.ts'

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

/** Stores the values of these records before their write ends, because rules may use them. */
export async function calculateForRules(
  { transaction, definitions }: { readonly transaction: Transaction; readonly definitions: Definitions },
  { id }: Collection,
  records: readonly RecordId[],
  { areIndexed }: { readonly areIndexed: boolean },
): Promise<void> {
  const calculate = areIndexed ? recalculate : calculateUnindexed
  for (const plan of rollupsOf(definitions).plans) {
    if (plan.home === id) await calculate(transaction, plan, definitions, records)
  }
}
