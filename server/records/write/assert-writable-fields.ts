import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide, whereFieldsReadable } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { fieldsNamed, type NamedValues } from '#domain/records/check-values.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { visibleRecords } from '#server/records/crud/visible-records.ts'

/** A collection, and what somebody may write there. */
export type WriteScope = { readonly collection: Collection; readonly decision: AllowedDecision }

/**
 * The fields that given values name and that may be written in some records only. One that may be read and written
 * nowhere is refused by its name; one that may be neither is left to be answered like a name that is unknown.
 */
export function partlyWritableFields(actor: Actor, context: WriteScope, given: NamedValues): readonly FieldId[] {
  const named = fieldsNamed(context.collection, given)
  const closed = named.filter((field) => isReadOnly(actor, context, field))
  if (closed.length > 0) throw notWritableProblem(closed, 'can’t edit')
  return named.filter(({ id }) => context.decision.partlyHidden?.has(id)).map(({ id }) => id)
}

/** Whether somebody may read a field, here or there, but write it nowhere. */
export function isReadOnly(actor: Actor, { collection, decision }: WriteScope, { id }: Field): boolean {
  if (!decision.hiddenFields.has(id)) return false
  const reading = decide(actor, 'records:read', collection)
  return reading.allowed && !reading.hiddenFields.has(id)
}

/**
 * Refuses to write fields in records in which they are closed to the actor: asked before a write, and once more behind
 * it, for it may have made the records others. It is asked of what is given, not of what differs: whether something does
 * would tell the value.
 */
export async function assertWritableFields(
  writing: Writing,
  { collection, decision }: WriteScope,
  fields: readonly FieldId[],
  ids: readonly RecordId[],
): Promise<void> {
  if (fields.length === 0 || ids.length === 0) return
  if (await areOpen(writing, { collection, decision }, fields, ids)) return
  const named = collection.fields.filter(({ id }) => fields.includes(id))
  for (const field of named) {
    if (!(await areOpen(writing, { collection, decision }, [field.id], ids))) throw fieldNotWritable(field)
  }
}

/** What was written in a record: fields of which each may be closed in some records. */
export type WrittenFields = { readonly record: RecordId; readonly fields: readonly FieldId[] }

/** The same behind many writes: one question a field. */
export async function assertAllWritable(
  writing: Writing,
  context: WriteScope,
  written: readonly WrittenFields[],
): Promise<void> {
  for (const field of new Set(written.flatMap(({ fields }) => fields))) {
    const records = written.filter(({ fields }) => fields.includes(field)).map(({ record }) => record)
    await assertWritableFields(writing, context, [field], records)
  }
}

async function areOpen(
  writing: Writing,
  { collection, decision }: WriteScope,
  fields: readonly FieldId[],
  ids: readonly RecordId[],
): Promise<boolean> {
  const bounded = whereFieldsReadable(decision, fields)
  const open = bounded && (await visibleRecords(writing, collection, bounded, ids))
  return open !== undefined && open.size === new Set(ids).size
}

/** Says that a field may not be written in the record that is meant. */
export const fieldNotWritable = (field: Field): Problem => notWritableProblem([field], 'can’t edit this here:')

function notWritableProblem(fields: readonly Field[], words: string): Problem {
  const labels = fields.map(({ label }) => label).join(', ')
  return new Problem('forbidden', `Nothing was saved. You ${words} ${labels}.`, {
    errors: fields.map(({ name, label }) => ({
      path: name,
      code: 'forbidden',
      message: `You can’t edit ${label} here.`,
    })),
  })
}
