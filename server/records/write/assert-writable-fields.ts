import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide, whereFieldsReadable } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { fieldsNamed, type NamedValues } from '#domain/records/check-values.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { visibleRecords } from '#server/records/crud/visible-records.ts'

export type WriteScope = { readonly collection: Collection; readonly decision: AllowedDecision }

export function partlyWritableFields(actor: Actor, context: WriteScope, given: NamedValues): readonly FieldId[] {
  const named = fieldsNamed(context.collection, given)
  const closed = named.filter((field) => isReadOnly(actor, context, field))
  if (closed.length > 0) throw notWritableProblem(closed, 'can’t edit')
  return named.filter(({ id }) => context.decision.partlyHidden?.has(id)).map(({ id }) => id)
}

export function isReadOnly(actor: Actor, { collection, decision }: WriteScope, { id }: Field): boolean {
  if (!decision.hiddenFields.has(id)) return false
  const reading = decide(actor, 'records:read', collection)
  return reading.allowed && !reading.hiddenFields.has(id)
}

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

export type WrittenFields = { readonly record: RecordId; readonly fields: readonly FieldId[] }

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
