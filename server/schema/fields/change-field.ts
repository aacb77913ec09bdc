import type { CollectionBody, FieldChange } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type Collection, canBeTitle } from '#domain/collections/collection.ts'
import {
  type Field,
  hasSelectOptions,
  holdsList,
  isRollup,
  isVirtual,
  type SelectKind,
  type SelectOption,
} from '#domain/fields/field.ts'
import { linkedValuesOf } from '#domain/formulas/value-field.ts'
import { Problem } from '#domain/shared/problem.ts'
import {
  commitDefinition,
  type WriteDeps,
  type WriteResult,
  type Writing,
} from '#server/records/changes/commit-change.ts'
import { getField, storeDefinition } from '#server/schema/collections/change-collection.ts'
import { changedField, type ResolvedChange } from './changed-field.ts'
import {
  type ConversionReport,
  convertValues,
  type DataLoss,
  type FieldConversionPlan,
  fillNewField,
  previewLoss,
} from './convert-values.ts'
import { insteadOf, keepValuesWithOptions } from './removed-options-store.ts'
import { titleFieldOf } from '#server/schema/collections/create-collection.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { clearOptions, countWithOptions, findDuplicates } from './values-store.ts'
import {
  addFieldColumns,
  createUniqueIndex,
  dropFieldColumns,
  dropUniqueIndex,
} from '#server/schema/collections/tables-store.ts'
import { readsFieldEverywhere } from '#domain/access/decide.ts'

/** Rejects a change that would reveal values to a manager who cannot read the field in all records. */
export function assertFieldReadable(actor: Actor, collection: Collection, { id, label }: Field): void {
  if (readsFieldEverywhere(actor, collection, id)) return
  throw new Problem(
    'forbidden',
    `Nothing was changed. This affects all values of ${label}, but you don’t have access to all of them. Ask an owner.`,
  )
}

/** Reports the data that a change would lose, unless `acceptLoss` is set. */
export function dataLossProblem(label: string, { count, examples }: DataLoss): Problem {
  const some = examples.slice(0, 5).map((example) => `“${example}”`)
  return new Problem(
    'definition-invalid',
    `${count === 1 ? 'One value' : `${count} values`} of ${label} would be lost (${some.join(', ')}). Nothing was changed.`,
    {
      errors: [{ path: 'acceptLoss', code: 'values-lost', message: 'Set acceptLoss to continue.' }],
      extra: { lost: { count, examples } },
    },
  )
}

export type FieldPlace = { readonly collection: string; readonly field: string }

/** Changes a field. Data loss is reported first, and accepted only with `acceptLoss`. */
export async function changeField(
  deps: WriteDeps,
  actor: Actor,
  place: FieldPlace,
  change: FieldChange,
): Promise<CollectionBody> {
  await assertNoDataLoss(deps, actor, place, change)
  return commitDefinition(deps, actor, async (writing) => {
    const { answer, ...log } = await changeFieldIn(writing, place, { ...change, changeSet: writing.newId() })
    return { ...log, answer: answer.body }
  })
}

export type FieldChangeIn = ResolvedChange & Pick<FieldConversionPlan, 'changeSet' | 'former'>

type ChangedField = { readonly body: CollectionBody; readonly report?: ConversionReport | undefined }

/** `report` tells what happened to the values if they were converted. */
export async function changeFieldIn(
  writing: Writing,
  place: FieldPlace,
  change: FieldChangeIn,
): Promise<WriteResult<ChangedField>> {
  const { collection: before } = getCollection(
    writing.definitions,
    writing.actor,
    'collections:manage',
    place.collection,
  )
  const old = getField(before, place.field)
  const next = await changedField({ ...writing, reader: writing.transaction.db }, before, old, change)
  const { changeSet, former, acceptLoss = false } = change
  const report = await migrateValues(writing, before, { old, next, acceptLoss, changeSet, former })
  const { answer: body, ...log } = await storeDefinition(writing, before, withField(before, next, change.position))
  return { ...log, answer: { body, report }, changeSet: { id: changeSet } }
}

export function withField(before: Collection, next: Field, position: number | undefined): Collection {
  const others = before.fields.filter((field) => field.id !== next.id)
  const fields = others.toSpliced(position ?? before.fields.findIndex((field) => field.id === next.id), 0, next)
  const isLostTitle = before.titleField === next.id && !canBeTitle(next.kind)
  return { ...before, fields, titleField: isLostTitle ? titleFieldOf(fields, undefined) : before.titleField }
}

export const isConverted = (old: Field, next: Field): boolean =>
  old.kind !== next.kind || holdsList(old) !== holdsList(next)

export function assertConvertible(old: Field, next: Field): void {
  if (old.kind === 'relation' && next.kind === 'relation' && old.options.collection !== next.options.collection) {
    throw new Problem(
      'definition-invalid',
      'You can’t change the linked collection, because existing values refer to its records. Add a new field instead.',
    )
  }
  if (old.kind === 'reverse' && next.kind === 'reverse' && old.options.relation !== next.options.relation) {
    throw new Problem(
      'definition-invalid',
      'You can’t change the relation that this field shows. Add a new field instead.',
    )
  }
  if (old.kind !== next.kind && (isVirtual(old) || isVirtual(next))) {
    throw new Problem(
      'definition-invalid',
      'Calculated fields and fields that show linked records can’t be converted, because they have no values of their own. Add a new field instead.',
    )
  }
  if (old.kind !== next.kind && (old.kind === 'files' || next.kind === 'files')) {
    throw new Problem(
      'definition-invalid',
      'Files can’t be converted to another field type, and other types can’t be converted to files. Add a new field instead.',
    )
  }
}

/** Reports data loss from a kind change before anything is written, so that counting doesn't block other writes. */
async function assertNoDataLoss(
  { database, definitions, newId }: WriteDeps,
  actor: Actor,
  place: FieldPlace,
  change: FieldChange,
): Promise<void> {
  if (change.kind === undefined) return
  const looking = { reader: database.read, definitions: await definitions.current(), actor, newId }
  const { collection } = getCollection(looking.definitions, actor, 'collections:manage', place.collection)
  const old = getField(collection, place.field)
  if (old.kind !== change.kind) assertFieldReadable(actor, collection, old)
  if (change.acceptLoss === true) return
  const next = await changedField(looking, collection, old, change)
  if (old.kind === next.kind || old.kind === 'files' || next.kind === 'files') return
  assertConvertible(old, next)
  const lost = await previewLoss(database.read, collection, old, next)
  if (lost.count > 0) throw dataLossProblem(next.label, lost)
}

type FieldTransition = FieldConversionPlan & { readonly acceptLoss: boolean }

/** Whether a change reads the values of a field and could therefore reveal them. */
const readsValues = (old: Field, next: Field): boolean =>
  isConverted(old, next) || (next.unique && !old.unique) || removedOptions(old, next).length > 0

const removedOptions = (old: Field, next: Field): readonly SelectOption[] => {
  if (!hasSelectOptions(old) || !hasSelectOptions(next)) return []
  const kept = new Set(next.options.choices.map((choice) => choice.id))
  return old.options.choices.filter((choice) => !kept.has(choice.id))
}

async function migrateValues(
  writing: Writing,
  collection: Collection,
  carrying: FieldTransition,
): Promise<ConversionReport | undefined> {
  const { old, next } = carrying
  assertConvertible(old, next)
  if (readsValues(old, next)) assertFieldReadable(writing.actor, collection, old)
  if (isConverted(old, next)) return changeKind(writing, collection, carrying)
  if (hasSelectOptions(old) && hasSelectOptions(next))
    await removeOptions(writing, collection, { ...carrying, old, next })
  if (isRollup(old) && isRollup(next) && old.options.result !== next.options.result) {
    await dropFieldColumns(writing.transaction, collection.id, old)
    await addFieldColumns(writing.transaction, collection.id, next)
  }
  await changeLinkedValues(writing, collection, old, next)
  await changeUniqueness(writing, collection, old, next)
  return undefined
}

/** Values of linked records that a formula still uses keep their columns. */
async function changeLinkedValues(writing: Writing, { id }: Collection, old: Field, next: Field): Promise<void> {
  const [before, after] = [linkedValuesOf(old), linkedValuesOf(next)]
  const isIn = (values: readonly Field[], value: Field): boolean => values.some((each) => each.id === value.id)
  for (const value of before) if (!isIn(after, value)) await dropFieldColumns(writing.transaction, id, value)
  for (const value of after) if (!isIn(before, value)) await addFieldColumns(writing.transaction, id, value)
}

async function changeKind(
  writing: Writing,
  collection: Collection,
  { acceptLoss, ...plan }: FieldTransition,
): Promise<ConversionReport> {
  const { next } = plan
  const report = await convertValues(writing, collection, plan)
  if (report.count > 0 && !acceptLoss) throw dataLossProblem(next.label, report)
  if (next.unique) await assertUniqueValues(writing, collection, next)
  if (next.unique) await createUniqueIndex(writing.transaction, collection.id, next.id)
  await fillNewField(writing.transaction, collection.id, next)
  return report
}

type OptionsTransition = FieldTransition & { readonly old: Field<SelectKind>; readonly next: Field<SelectKind> }

async function removeOptions(
  writing: Writing,
  collection: Collection,
  { old, next, acceptLoss, changeSet }: OptionsTransition,
): Promise<void> {
  const gone = removedOptions(old, next)
  if (gone.length === 0) return

  const ids = gone.map((choice) => choice.id)
  const count = await countWithOptions(writing.transaction, collection, old, ids)
  if (count > 0 && !acceptLoss)
    throw dataLossProblem(next.label, { count, examples: gone.map((choice) => choice.name) })
  if (count === 0) return
  await keepValuesWithOptions(writing, collection, { old, options: ids, changeSet })
  await clearOptions(writing.transaction, collection, old, { choices: ids, instead: insteadOf(next) })
}

async function changeUniqueness(writing: Writing, collection: Collection, old: Field, next: Field): Promise<void> {
  if (old.unique && !next.unique) await dropUniqueIndex(writing.transaction, collection.id, old.id)
  if (old.unique || !next.unique) return
  await assertUniqueValues(writing, collection, next)
  await createUniqueIndex(writing.transaction, collection.id, next.id)
}

async function assertUniqueValues(writing: Writing, collection: Collection, field: Field): Promise<void> {
  const twice = await findDuplicates(writing.transaction, collection, field.id)
  if (twice.length === 0) return
  if (field.kind === 'relation') {
    const message = 'Some records are already linked more than once.'
    throw new Problem('definition-invalid', `Nothing was changed. ${message}`, {
      errors: [{ path: 'unique', code: 'duplicates', message }],
    })
  }
  throw new Problem(
    'definition-invalid',
    `${field.label} can’t be unique yet: ${twice.map((value) => `“${value}”`).join(', ')} occurs in more than one record.`,
    { errors: [{ path: 'unique', code: 'duplicates', message: 'Some values occur in more than one record.' }] },
  )
}
