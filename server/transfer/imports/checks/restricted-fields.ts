import { decide, whereFieldsReadable } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { type WriteContext, visibleRecords } from '#server/records/crud/visible-records.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { RowPlan } from '#domain/imports/row-to-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { Problem } from '#domain/shared/problem.ts'
import { frozenAmong } from '#domain/workflow/evaluate-transition.ts'

export type RowTarget = { readonly row: number; readonly record: RecordId; readonly fields: readonly FieldId[] }

export type RestrictedRow = { readonly record: RecordId; readonly error: RowError }

/**
 * Finds rows that change a field that the actor can't edit in that record, with one statement per partly hidden field.
 */
export async function restrictedRows(
  inside: WriteContext,
  collection: Collection,
  brought: readonly RowTarget[],
): Promise<readonly RestrictedRow[]> {
  const decision = decide(inside.actor, 'records:update', collection)
  const named = new Set(brought.flatMap(({ fields }) => fields))
  const partly = collection.fields.filter(
    ({ id }) => named.has(id) && decision.allowed && decision.partlyHidden?.has(id) === true,
  )
  const closed: RestrictedRow[] = []
  for (const { id, label } of partly) {
    const rows = brought.filter(({ fields }) => fields.includes(id))
    const bounded = decision.allowed ? whereFieldsReadable(decision, [id]) : undefined
    const records = rows.map(({ record }) => record)
    const open = bounded ? await visibleRecords(inside, collection, bounded, records) : new Set()
    const error = { column: label, message: `You can’t edit ${label} in this record.` }
    for (const { record, row } of rows) if (!open.has(record)) closed.push({ record, error: { row, ...error } })
  }
  return closed
}

/** Rejects status columns: a status changes only through transitions, except for users who manage the collection. */
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

/** Finds changes to fields that are locked in the record's status. */
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
