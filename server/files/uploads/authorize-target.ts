import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, whereFieldsReadable } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type FileField, takesFiles } from '#domain/fields/files.ts'
import type { UploadTarget } from '#domain/uploads/upload.ts'
import { type AllowedCollection, getCollection } from '#server/query/definitions/find-collection.ts'
import { idsInside, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { fieldNotWritable, isReadOnly } from '#server/records/write/assert-writable-fields.ts'
import type { UploadDeps } from './upload-deps.ts'

export type UploadTargetInput = {
  readonly collection?: string | undefined
  readonly field?: string | undefined
  readonly record?: string | null | undefined
}

export type AuthorizedTarget = { readonly target: UploadTarget; readonly field: FileField }

/**
 * Whether an actor can update this field in the record or, without a record, create one. Checked on every request,
 * because permissions, fields and records can change.
 */
export async function authorizeTarget(
  deps: Pick<UploadDeps, 'database' | 'definitions' | 'clock'>,
  actor: Actor,
  named: UploadTargetInput,
): Promise<AuthorizedTarget> {
  const { collection: collectionName, field: fieldName, record = null } = named
  if (!collectionName || !fieldName) throw targetMissing(!collectionName ? 'collection' : 'field')

  const definitions = await deps.definitions.current()
  const permission = record === null ? 'records:create' : 'records:update'
  const context = getCollection(definitions, actor, permission, collectionName)
  const { collection, decision } = context
  const { field, open } = fieldFor(actor, context, fieldName)
  if (record !== null) {
    const queryActor = { definitions, actor, now: deps.clock() }
    const isInside = async (bound: AllowedDecision): Promise<boolean> =>
      (await idsInside(scopeOf(deps, definitions), queryActor, { collection, decision: bound }, [record])).has(record)
    if (!(await isInside(decision))) throw noSuchRecord(collection, record)
    if (open !== decision && !(await isInside(open))) throw fieldNotWritable(field)
  }
  return { target: { collection: collection.id, field: field.id, record }, field }
}

/** The files field, and the records in which the actor can access it. */
function fieldFor(actor: Actor, context: AllowedCollection, nameOrId: string) {
  const { collection, decision } = context
  const field = collection.fields.find(({ id, name }) => name === nameOrId || id === nameOrId)
  const open = field && whereFieldsReadable(decision, [field.id])
  if (field && takesFiles(field) && open !== undefined) return { field, open }
  if (field && takesFiles(field) && isReadOnly(actor, context, field)) throw fieldNotWritable(field)
  throw new Problem('invalid-upload', `${collection.label} has no files field “${nameOrId}”.`)
}

const noSuchRecord = ({ label }: Collection, record: RecordId): Problem =>
  new Problem('record-not-found', `There is no record ${record} in ${label}.`)

const targetMissing = (part: string): Problem =>
  new Problem(
    'upload-target-missing',
    `The upload target is missing: ${part}. Set “collection”, “field” and, for an existing record, “record”.`,
    { errors: [{ path: part, code: 'missing', message: 'This field is required.' }] },
  )
