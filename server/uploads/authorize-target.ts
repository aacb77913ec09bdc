import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Field } from '#domain/fields/field.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { UploadTarget } from '#domain/uploads/upload.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import { idsInside, scopeOf } from '#server/records/records-query.ts'
import type { UploadNeeds } from './upload-needs.ts'

/** Where a file is to go, as its sender names it: collection and field by name or id. */
export type NamedTarget = {
  readonly collection?: string | undefined
  readonly field?: string | undefined
  readonly record?: string | null | undefined
}

/** A target this actor may send to, with the field whose rules the file must obey. */
export type AuthorizedTarget = { readonly target: UploadTarget; readonly field: Field<'files'> }

/**
 * Judges whether an actor may send a file there: they may change that field of that record, or, without a record, create
 * one. Asked at the beginning and again with every request, because rights, fields and records may go away meanwhile.
 */
export async function authorizeTarget(
  needs: Pick<UploadNeeds, 'database' | 'definitions' | 'clock'>,
  actor: Actor,
  named: NamedTarget,
): Promise<AuthorizedTarget> {
  const { collection: collectionName, field: fieldName, record = null } = named
  if (!collectionName || !fieldName) throw targetMissing(!collectionName ? 'collection' : 'field')

  const definitions = await needs.definitions.current()
  const permission = record === null ? 'records:create' : 'records:update'
  const { collection, decision } = getCollection(definitions, actor, permission, collectionName)
  const reading = decide(actor, 'records:read', collection)
  const field = collection.fields.find(({ id, name }) => name === fieldName || id === fieldName)
  const isHidden = (id: string): boolean =>
    decision.hiddenFields.has(id) || (reading.allowed && reading.hiddenFields.has(id))
  if (field === undefined || field.kind !== 'files' || isHidden(field.id)) {
    throw new Problem('invalid-upload', `${collection.label} has no field “${fieldName}” that takes files.`)
  }

  if (record !== null) {
    const asker = { definitions, actor, now: needs.clock() }
    const inside = await idsInside(scopeOf(needs, definitions), asker, { collection, decision }, [record])
    if (!inside.has(record)) {
      throw new Problem('record-not-found', `There is no record ${record} in ${collection.label}.`)
    }
  }
  return { target: { collection: collection.id, field: field.id, record }, field }
}

const targetMissing = (part: string): Problem =>
  new Problem(
    'upload-target-missing',
    `An upload says where the file belongs, and this one does not name its ${part}. Give “collection”, “field” and, for a record that exists, “record”.`,
    { errors: [{ path: part, code: 'missing', message: 'It is missing.' }] },
  )
