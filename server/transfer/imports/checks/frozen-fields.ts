import { decide } from '#domain/access/decide.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RowPlan } from '#domain/imports/row-to-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { Problem } from '#domain/shared/problem.ts'
import { frozenAmong } from '#domain/workflow/frozen-fields.ts'
import type { RowTarget } from './restricted-fields.ts'
import type { RowError } from '#server/transfer/imports/csv/csv-tasks.ts'

/** Rejects status columns: they change by transitions only, except for users who manage the collection. */
export function assertNoStatusColumns(actor: Actor, { collection, columns }: RowPlan): void {
  const state = collection.fields.find(({ id }) => id === collection.workflow?.field)
  if (!state || !columns.some(({ field }) => field === state.id)) return
  if (decide(actor, 'collections:manage', collection).allowed) return
  throw new Problem(
    'use-transition',
    `${state.label} can only be changed with a workflow transition. Skip that column. Nothing was imported.`,
    {
      errors: [
        {
          path: state.name,
          code: 'use-transition',
          message: `${state.label} can only be changed with a workflow transition.`,
        },
      ],
    },
  )
}

/** Changes of fields that are locked in the record's status. */
export const frozenFieldErrors = (
  collection: Collection,
  { values }: CollectionRecord,
  { row, fields }: Omit<RowTarget, 'record'>,
): readonly RowError[] =>
  frozenAmong(collection, values, fields).map(({ label }) => ({
    row,
    column: label,
    message: `${label} is locked in the current status. Change the status first.`,
  }))
