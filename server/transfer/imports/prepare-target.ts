import type { z } from 'zod'
import type { FieldInput } from '#api/collections.ts'
import type { ColumnTarget, startImport } from '#api/imports.ts'
import { decide, hasPermissionEverywhere } from '#domain/access/decide.ts'
import { type Collection, MAX_FIELDS, canBeTitle } from '#domain/collections/collection.ts'
import { nameFromLabel } from '#domain/collections/names.ts'
import type { Event } from '#domain/shared/event.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { storeDefinition, withNewFields } from '#server/schema/collections/change-collection.ts'
import { STARTING_FIELDS, makeCollection } from '#server/schema/collections/create-collection.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { definitionChange } from '#server/schema/collections/log-definition.ts'
import { notifyPendingImportsChanged } from '#server/query/definitions/definitions-cache.ts'
import { withGrantedDefaults } from '#server/records/values/granted-defaults.ts'

export type StartBody = z.output<(typeof startImport)['body']>

/** The target collection, and the changes to undo if the import fails. */
export type Target = {
  readonly collection: Collection
  readonly hiddenFields: ReadonlySet<FieldId>
  readonly madeCollection: boolean
  readonly madeFields: readonly FieldId[]
  readonly changes: readonly Change[]
  readonly events: readonly Event[]
}

/** Creates the collection or fields that the plan needs. */
export function prepareTarget(writing: Writing, body: StartBody): Promise<Target> {
  const { into } = body
  return 'newCollection' in into
    ? prepareNew(writing, body, into.newCollection)
    : prepareExisting(writing, body, into.collection)
}

type NewCollection = Extract<StartBody['into'], { newCollection: unknown }>['newCollection']

async function prepareNew(writing: Writing, body: StartBody, { label, name }: NewCollection): Promise<Target> {
  if (body.key !== undefined) throw new Problem('invalid-request', 'A new collection has no records to update.')
  if (!hasPermissionEverywhere(writing.actor, 'collections:manage'))
    throw new Problem('forbidden', 'Only owners can create collections.')
  const fields = namedFields(body.columns, new Set())
  if (fields.length === 0) throw noColumnsMapped()
  const collection = await makeCollection(writing, {
    label,
    name,
    fields: withStandardFields(fields),
    titleField: titleOf(body, fields),
  })
  return {
    collection,
    hiddenFields: new Set(),
    madeCollection: true,
    madeFields: [],
    ...definitionChange(null, collection),
  }
}

async function prepareExisting(writing: Writing, body: StartBody, nameOrId: string): Promise<Target> {
  const { collection, decision } = getCollection(writing.definitions, writing.actor, 'records:import', nameOrId)
  // Conditional permissions don't allow imports, because a condition can only be evaluated for existing records.
  if (decision.where)
    throw new Problem('forbidden', `You don’t have permission to import into ${collection.label}. Ask an owner.`)
  const alsoHidden = body.key === undefined ? [] : hiddenFieldsForUpdate(writing, nameOrId, body.key)
  // Partly hidden fields also depend on existing records, so they can't be imported.
  const partly = decision.partlyHidden?.keys() ?? []
  const hiddenFields = new Set([...decision.hiddenFields, ...partly, ...alsoHidden])
  const target = { collection, hiddenFields, madeCollection: false }

  const fields = namedFields(body.columns, new Set(collection.fields.map((field) => field.name)))
  if (fields.length === 0) {
    await notifyPendingImportsChanged(writing.transaction)
    const started = withGrantedDefaultsFor(writing, collection)
    return { ...target, collection: started, madeFields: [], changes: [], events: [{ type: 'definitions-changed' }] }
  }
  getCollection(writing.definitions, writing.actor, 'collections:manage', nameOrId)
  const after = await withNewFields(writing, collection, fields)
  const { changes, events } = await storeDefinition(writing, collection, after)
  const madeFields = after.fields.slice(collection.fields.length).map((field) => field.id)
  // Saving the definition increases its version.
  const stored = withGrantedDefaultsFor(writing, { ...after, version: collection.version + 1 })
  return { ...target, collection: stored, madeFields, changes, events }
}

/** Default values in the grant become the field defaults. */
function withGrantedDefaultsFor(writing: Writing, collection: Collection): Collection {
  const decision = decide(writing.actor, 'records:create', collection)
  return decision.allowed ? withGrantedDefaults(writing, { collection, decision }, {}) : collection
}

/**
 * Requires permission to read and update all records, because rows update any record whose key matches. Returns the
 * hidden fields, including a partly hidden key, whose matches would reveal other records. Other partly hidden fields
 * are checked per row.
 */
function hiddenFieldsForUpdate(writing: Writing, nameOrId: string, key: string): FieldId[] {
  return (['records:read', 'records:update'] as const).flatMap((permission) => {
    const { collection, decision } = getCollection(writing.definitions, writing.actor, permission, nameOrId)
    const keyField = collection.fields.find(({ id, name }) => id === key || name === key)
    const isPartly = keyField !== undefined && decision.partlyHidden?.has(keyField.id) === true
    if (!decision.where) return [...decision.hiddenFields, ...(isPartly ? [keyField.id] : [])]
    throw new Problem(
      'forbidden',
      `You don’t have permission to update records in ${collection.label} by importing. Ask an owner.`,
    )
  })
}

/** Assigns names to new fields in column order. */
function namedFields(columns: readonly ColumnTarget[], taken: Set<string>): FieldInput[] {
  const names = new Set(taken)
  return columns.flatMap((column) => {
    if (!('newField' in column)) return []
    const { newField } = column
    const name = newField.name ?? nameFromLabel(newField.label, names)
    names.add(name)
    return [{ ...newField, name }]
  })
}

/** Adds the standard Notes and Files fields if the file doesn't have them. */
function withStandardFields(fields: readonly FieldInput[]): FieldInput[] {
  const names = new Set(fields.flatMap((field) => field.name ?? []))
  const missing = STARTING_FIELDS.filter(
    ({ kind }) => kind !== 'text' && !fields.some((field) => field.kind === kind),
  ).map((field) => ({ ...field, name: nameFromLabel(field.label, names) }))
  return fields.length + missing.length > MAX_FIELDS ? [...fields] : [...fields, ...missing]
}

/** The primary field: the requested column if its type allows it, otherwise the first text column. */
function titleOf({ columns, titleColumn }: StartBody, fields: readonly FieldInput[]): string | null | undefined {
  if (titleColumn === undefined || titleColumn === null) return titleColumn
  const isNew = columns[titleColumn] !== undefined && 'newField' in columns[titleColumn]
  const place = columns.slice(0, titleColumn).filter((column) => 'newField' in column).length
  const field = isNew ? fields[place] : undefined
  return field && canBeTitle(field.kind) ? field.name : undefined
}

export const noColumnsMapped = () =>
  new Problem('invalid-request', 'All columns are skipped. Choose a field for at least one of them.')
