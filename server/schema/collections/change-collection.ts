import type { AddedField, CollectionBody, FieldInput } from '#api/collections.ts'
import type { BrokenBody } from '#api/rules.ts'
import type { WorkflowInput } from '#api/workflows.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type Collection, findField, MAX_FIELDS } from '#domain/collections/collection.ts'
import { orderWithinGroup } from '#domain/collections/sidebar-layout.ts'
import { type AppearanceChange, withAppearance } from '#domain/collections/collection-appearance.ts'
import { isName } from '#domain/collections/names.ts'
import { checkRecordLayout, keepDeletedFields, type RecordLayout } from '#domain/collections/record-layout.ts'
import type { Field } from '#domain/fields/field.ts'
import type { RuleDraft } from '#domain/rules/check-rules.ts'
import type { Rule } from '#domain/rules/rule.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import {
  type WriteResult,
  type WriteDeps,
  type Writing,
  commitDefinition,
  withCurrentDefinitions,
} from '#server/records/changes/commit-change.ts'
import { assertExamplesHoldAfterDefinition } from '#server/access/explain/check-examples.ts'
import { withDefinition, withoutCollection } from '#server/query/definitions/definitions-cache.ts'
import { knownNames } from '#server/access/rights/rights.ts'
import { assertCollectionUnreferenced, assertReferencesKeepMeaning } from '#server/schema/roles/assert-unreferenced.ts'
import { countViolations } from '#server/records/rules/count-violations.ts'
import { dropFullTextIndexes, syncFullTextIndexes } from '#server/query/search/index/sync-definition.ts'
import { deleteCollectionViews } from '#server/records/views/save-view.ts'
import { withoutStaleWorkflow, withWorkflow } from '#server/records/workflow/check-workflow.ts'
import { assertRulesStillFit, checkedRules } from './change-rules.ts'
import { assertRollupsFit } from './fitting-rollups.ts'
import { withFittingFormulas } from './fitting-formulas.ts'
import { titleFieldOf } from './create-collection.ts'
import { fieldFromDraft } from '#server/schema/fields/field-context.ts'
import { fillNewField } from '#server/schema/fields/convert-values.ts'
import { getCollection, maySee } from '#server/query/definitions/find-collection.ts'
import { definitionChange } from './log-definition.ts'
import { assertNoKindChange } from '#server/schema/kind-changes/running-changes.ts'
import { showCollection } from './show-collection.ts'
import {
  deleteDefinition,
  detachFiles,
  incrementDefinitionsVersion,
  replaceDefinition,
  storeOrder,
} from '#server/query/definitions/store.ts'
import { dropCollectionIndexes } from '#server/query/indexes/build-index.ts'
import { deletedFieldsOf, removeAllDeleted } from '#server/schema/deleted-definitions/deleted-definitions.ts'
import {
  detachedUntil,
  detachFieldFiles,
  discardFormerValues,
} from '#server/schema/deleted-definitions/discard-field.ts'
import { addFieldColumns, dropFieldColumns, dropTables } from './tables-store.ts'

/** The properties of a collection that can be changed. */
export type CollectionChange = AppearanceChange & {
  readonly name?: string | undefined
  readonly label?: string | undefined
  readonly titleField?: string | null | undefined
  /** The complete list of rules: a rule that is left out is deleted. */
  readonly rules?: readonly RuleDraft[] | undefined
  /** Refers to fields by name or ID. `null` removes the layout. */
  readonly layout?: RecordLayout | null | undefined
  /** `null` removes the value. */
  readonly workflow?: WorkflowInput | null | undefined
  /** Position in the sidebar; 0 is the first. */
  readonly position?: number | undefined
}

/** A changed collection, and the number of records that violate its new rules. */
export type ChangedCollection = CollectionBody & { readonly broken?: BrokenBody[] }

export async function changeCollection(
  deps: WriteDeps,
  actor: Actor,
  nameOrId: string,
  change: CollectionChange,
): Promise<ChangedCollection> {
  const { body, fresh } = await storeChanged(deps, actor, nameOrId, change)
  if (fresh.length === 0) return body
  const definitions = await deps.definitions.current()
  const collection = definitions.byId.get(body.id)
  return collection ? { ...body, broken: await countViolations(deps, { actor, definitions }, collection, fresh) } : body
}

type StoredCollection = { readonly body: CollectionBody; readonly fresh: readonly Rule[] }

const storeChanged = (
  deps: WriteDeps,
  actor: Actor,
  nameOrId: string,
  change: CollectionChange,
): Promise<StoredCollection> =>
  commitDefinition(deps, actor, (writing) => changeCollectionIn(writing, nameOrId, change))

export async function changeCollectionIn(
  writing: Writing,
  nameOrId: string,
  change: CollectionChange,
): Promise<WriteResult<StoredCollection>> {
  const { collection: before } = getCollection(writing.definitions, writing.actor, 'collections:manage', nameOrId)
  const named: Collection = {
    ...withAppearance(before, change),
    name: checkedName(writing, before, change.name),
    label: change.label ?? before.label,
    titleField: change.titleField === undefined ? before.titleField : titleFieldOf(before.fields, change.titleField),
    ...(change.rules && { rules: checkedRules(writing, before, change.rules) }),
    ...(change.layout && { layout: checkedLayout(before, change.layout) }),
  }
  const laidOut = change.layout === null ? withoutLayout(named) : named
  const after =
    change.workflow === undefined
      ? laidOut
      : withWorkflow(writing, laidOut, change.workflow, await knownNames(writing.transaction.db))
  const order = sidebarOrderAfter(writing, before, change)
  if (order) await storeOrder(writing.transaction, order)
  const { answer: body, ...log } = await storeDefinition(writing, before, after)
  return { answer: { body, fresh: newlyEnforcedRules(before, after) }, ...log }
}

function withoutLayout(collection: Collection): Collection {
  const { layout: _, ...rest } = collection
  return rest
}

function checkedLayout(before: Collection, draft: RecordLayout): RecordLayout {
  const checked = checkRecordLayout(draft, (field) => findField(before, field)?.id)
  if (checked.ok) return keepDeletedFields(checked.value, before)
  throw new Problem('definition-invalid', `The record layout was not saved. ${checked.fault[0]?.message ?? ''}`, {
    errors: checked.fault,
  })
}

/** Rules that are new or have changed. */
const newlyEnforcedRules = ({ rules: before = [] }: Collection, { rules: after = [] }: Collection): readonly Rule[] =>
  after.filter(({ id, when, then }) => {
    const known = before.find((rule) => rule.id === id)
    return !known || !sameJson([known.when, known.then], [when, then])
  })

function checkedName(writing: Writing, before: Collection, name: string | undefined): string {
  if (name === undefined || name === before.name) return before.name
  if (!isName(name)) {
    throw new Problem(
      'definition-invalid',
      'Names start with a lowercase letter and use only letters, digits and underscores.',
      {
        errors: [
          {
            path: 'name',
            code: 'bad-name',
            message: 'Use only letters, digits and underscores, starting with a lowercase letter.',
          },
        ],
      },
    )
  }
  if (writing.definitions.byName.has(name))
    throw new Problem('name-taken', `A collection named “${name}” already exists.`)
  return name
}

function sidebarOrderAfter(
  { definitions }: Writing,
  { id, group }: Collection,
  change: CollectionChange,
): string[] | undefined {
  if (change.position === undefined) {
    const isMoved = change.group !== undefined && (change.group ?? undefined) !== group
    return isMoved ? orderWithinGroup(definitions.list, id, change.group ?? undefined) : undefined
  }
  const others = definitions.list.map((collection) => collection.id).filter((other) => other !== id)
  return others.toSpliced(change.position, 0, id)
}

/** `restored` are added fields that already have values. */
export async function storeDefinition(
  writing: Writing,
  before: Collection,
  changed: Collection,
  restored: ReadonlySet<FieldId> = new Set(),
): Promise<WriteResult<CollectionBody>> {
  if (changed.fields !== before.fields) await assertNoKindChange(writing.transaction.db, before)
  const fitting = withFittingFormulas(writing, withoutStaleWorkflow(changed))
  const after = { ...fitting, version: before.version + 1 }
  const definitions = withDefinition(writing.definitions, after)
  assertRollupsFit(writing, definitions)
  assertRulesStillFit(writing, after)
  await assertReferencesKeepMeaning(writing, before, after)
  await replaceDefinition(writing.transaction, after)
  const parts = writing.definitions.searchParts.get(after.id) ?? []
  await syncFullTextIndexes({ ...writing, parts, restored }, before, after)
  await incrementDefinitionsVersion(writing.transaction)
  const { transaction, actor, at } = writing
  await assertExamplesHoldAfterDefinition({ transaction, definitions, actor, now: new Date(at) })
  return {
    answer: showCollection(writing.actor, definitions.byId.get(after.id) ?? after, definitions),
    ...definitionChange(before, after),
  }
}

export function addField(deps: WriteDeps, actor: Actor, nameOrId: string, input: AddedField): Promise<CollectionBody> {
  return commitDefinition(deps, actor, async (writing) => {
    const { collection: before } = getCollection(writing.definitions, actor, 'collections:manage', nameOrId)
    const { fields, ...after } = await withNewFields(writing, before, [input])
    const added = fields.slice(before.fields.length)
    const place = input.position ?? before.fields.length
    const result = await storeDefinition(writing, before, {
      ...after,
      fields: before.fields.toSpliced(place, 0, ...added),
    })
    const [field] = added
    if (!input.reverse || !field) return result
    return withReverseSide(await withCurrentDefinitions(deps, writing), result, {
      source: before,
      relation: field,
      label: input.reverse.label,
    })
  })
}

type NewReverseSide = {
  readonly source: Collection
  readonly relation: Field
  readonly label: string | undefined
}

/** Adds a field to the linked collection that shows the records with the new relation. */
async function withReverseSide(
  writing: Writing,
  result: WriteResult<CollectionBody>,
  { source, relation, label: given }: NewReverseSide,
): Promise<WriteResult<CollectionBody>> {
  if (relation.kind !== 'relation')
    throw new Problem('definition-invalid', 'Only linked record fields can be shown in another collection.', {
      errors: [{ path: 'reverse', code: 'not-relation', message: 'Only linked record fields have a reverse side.' }],
    })
  const { definitions, actor } = writing
  const { collection: target } = getCollection(definitions, actor, 'collections:manage', relation.options.collection)
  const isTaken = target.fields.some(({ label }) => label === source.label)
  const label = given ?? (isTaken ? `${source.label} (${relation.label})` : source.label)
  const options = { collection: source.id, relation: relation.id }
  const field = { label, kind: 'reverse', required: false, unique: false, options } as const
  const added = await storeDefinition(writing, target, await withNewFields(writing, target, [field]))
  const isSame = target.id === source.id
  return {
    ...result,
    answer: isSame ? added.answer : result.answer,
    changes: [...result.changes, ...added.changes],
    events: [...result.events, ...added.events],
  }
}

/** Adds fields to a definition and creates their columns; the caller stores the definition. */
export async function withNewFields(
  writing: Writing,
  collection: Collection,
  inputs: readonly FieldInput[],
): Promise<Collection> {
  const fields = [...collection.fields]
  if (fields.length + inputs.length > MAX_FIELDS) {
    throw new Problem('definition-invalid', `A collection can have at most ${MAX_FIELDS} fields. Delete one first.`)
  }
  for (const input of inputs) {
    const place = {
      definitions: writing.definitions,
      actor: writing.actor,
      newId: writing.newId,
      siblings: fields,
      self: collection,
    }
    const field = fieldFromDraft(input, place)
    await addFieldColumns(writing.transaction, collection.id, field)
    await fillNewField(writing.transaction, collection.id, field)
    fields.push(field)
  }
  return { ...collection, fields, titleField: collection.titleField ?? titleFieldOf(fields, undefined) }
}

/** Deletes a field with its values permanently. */
export function removeField(
  deps: WriteDeps,
  actor: Actor,
  nameOrId: string,
  fieldNameOrId: string,
): Promise<CollectionBody> {
  return commitDefinition(deps, actor, async (writing) => {
    const { collection: before } = getCollection(writing.definitions, actor, 'collections:manage', nameOrId)
    const field = getField(before, fieldNameOrId)
    await dropFieldColumns(writing.transaction, before.id, field)
    await detachFieldFiles(writing, before.id, field)
    await discardFormerValues(writing, before.id, field.id)
    return storeDefinition(writing, before, withoutField(before, field))
  })
}

export function withoutField(collection: Collection, field: Field): Collection {
  const fields = collection.fields.filter((other) => other.id !== field.id)
  const titleField = collection.titleField === field.id ? titleFieldOf(fields, undefined) : collection.titleField
  return { ...collection, fields, titleField }
}

/** Deletes a collection with its records permanently. */
export function removeCollection(deps: WriteDeps, actor: Actor, nameOrId: string): Promise<void> {
  return commitDefinition(deps, actor, async (writing) => {
    const { collection } = getCollection(writing.definitions, actor, 'collections:manage', nameOrId)
    await assertCollectionUnreferenced(writing, collection)
    await discardCollection(writing, collection)
    return { answer: undefined, ...definitionChange(collection, null) }
  })
}

/** Rejected if relations in other collections link to it. */
export async function discardCollection(writing: Writing, collection: Collection): Promise<void> {
  await detachCollection(writing, collection)
  const deleted = (await deletedFieldsOf(writing.transaction.db, collection.id)).map(({ field }) => field)
  await discardTables(writing, { ...collection, fields: [...collection.fields, ...deleted] })
  await removeAllDeleted(writing.transaction, collection.id)
}

/** Removes the definition of a collection; its tables, views and files are kept. */
export async function detachCollection(writing: Writing, collection: Collection): Promise<void> {
  const pointing = writing.definitions.list.filter(
    (other) => other.id !== collection.id && pointsInto(other, collection.id),
  )
  if (pointing.length > 0) {
    const seen = pointing.filter((other) => maySee(writing.actor, other)).map(({ label }) => label)
    const what =
      seen.length === 0
        ? `A collection you can’t see links to ${collection.label}. Ask an owner.`
        : `Linked record fields in ${seen.join(', ')} refer to ${collection.label}. Delete those fields first.`
    throw new Problem('definition-invalid', what)
  }
  assertRollupsFit(writing, withoutCollection(writing.definitions, collection))
  await assertNoKindChange(writing.transaction.db, collection)
  await dropFullTextIndexes(writing.transaction, collection)
  await dropCollectionIndexes(writing.transaction, collection.id)
  await deleteDefinition(writing.transaction, collection.id)
  await incrementDefinitionsVersion(writing.transaction)
}

/** Deletes the records, views and files of a collection whose definition was removed. */
export async function discardTables(writing: Writing, collection: Collection): Promise<void> {
  await dropTables(writing.transaction, collection)
  await detachFiles(writing.transaction, { collection: collection.id }, detachedUntil(writing))
  await deleteCollectionViews(writing.transaction, collection.id)
}

const pointsInto = (collection: Collection, id: string): boolean =>
  collection.fields.some((field) => field.kind === 'relation' && field.options.collection === id)

export function getField(collection: Collection, nameOrId: string): Field {
  const field =
    collection.fields.find((each) => each.name === nameOrId) ?? collection.fields.find((each) => each.id === nameOrId)
  if (!field) throw new Problem('not-found', `There is no field “${nameOrId}” in ${collection.label}.`)
  return field
}
