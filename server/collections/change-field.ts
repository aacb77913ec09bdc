import type { CollectionBody, FieldChange } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { OptionsDraft } from '#domain/collections/check-field.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { canNameRecords } from '#domain/collections/title-kinds.ts'
import { type ChoiceKind, type Field, hasChoices, holdsList } from '#domain/fields/field.ts'
import { PLAIN_FORM, outsideValue } from '#domain/records/named-values.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type WriteNeeds, type Writing, commitDefinition } from '#server/changes/commit-change.ts'
import type { Reader } from '#server/database/database.ts'
import { getField, storeDefinition } from './change-collection.ts'
import { choicesFromValues, convertValues, previewLoss } from './convert-values.ts'
import { titleFieldOf } from './create-collection.ts'
import { fieldFromDraft } from './field-surroundings.ts'
import { fillNewField } from './fill-field.ts'
import { getCollection } from './find-collection.ts'
import { clearChoices, countChoices, findDuplicates } from './values-store.ts'
import { createUniqueIndex, dropUniqueIndex } from './tables-store.ts'

/** Story: change a field. What would be lost is told first, and lost only when the caller says so. */
export async function changeField(
  needs: WriteNeeds,
  actor: Actor,
  place: { readonly collection: string; readonly field: string },
  change: FieldChange,
): Promise<CollectionBody> {
  await refuseLoss(needs, actor, place, change)
  return commitDefinition(needs, actor, async (writing) => {
    const { collection: before } = getCollection(writing.definitions, actor, 'collections:manage', place.collection)
    const old = getField(before, place.field)
    const next = await changedField({ ...writing, reader: writing.transaction.db }, before, old, change)
    await carryValues(writing, before, { old, next, acceptLoss: change.acceptLoss === true })

    const others = before.fields.filter((field) => field.id !== old.id)
    const position = change.position ?? before.fields.indexOf(old)
    const fields = others.toSpliced(position, 0, next)
    const isLostTitle = before.titleField === next.id && !canNameRecords(next.kind)
    const titleField = isLostTitle ? titleFieldOf(fields, undefined) : before.titleField
    return storeDefinition(writing, before, { ...before, fields, titleField })
  })
}

/**
 * Tells what a change of kind would lose before anything is written, so that nobody waits while it is counted. What is
 * written meanwhile is judged once more by the change itself.
 */
async function refuseLoss(
  { database, definitions, newId }: WriteNeeds,
  actor: Actor,
  place: { readonly collection: string; readonly field: string },
  change: FieldChange,
): Promise<void> {
  if (change.kind === undefined || change.acceptLoss === true) return
  const looking = { reader: database.read, definitions: await definitions.current(), actor, newId }
  const { collection } = getCollection(looking.definitions, actor, 'collections:manage', place.collection)
  const old = getField(collection, place.field)
  const next = await changedField(looking, collection, old, change)
  if (old.kind === next.kind || old.kind === 'files' || next.kind === 'files') return
  const lost = await previewLoss(database.read, collection, old, next)
  if (lost.count > 0) throw lossProblem(next.label, lost.count, lost.examples)
}

/** What a changed field is judged by, inside a write or before it. */
type Looking = Pick<Writing, 'definitions' | 'actor' | 'newId'> & { readonly reader: Reader }

async function changedField(looking: Looking, collection: Collection, old: Field, change: FieldChange): Promise<Field> {
  const kind = change.kind ?? old.kind
  const isSameKind = kind === old.kind
  const options =
    change.options ?? (isSameKind ? optionsOf(old) : await startingOptions(looking, collection, old, kind))
  const draft = {
    name: change.name ?? old.name,
    label: change.label ?? old.label,
    kind,
    required: change.required ?? old.required,
    unique: change.unique ?? (isSameKind && old.unique),
    default:
      change.default === undefined ? (isSameKind ? outsideValue(old, old.default, BY_ID) : null) : change.default,
    options,
  }
  const siblings = collection.fields.filter((field) => field.id !== old.id)
  const { definitions, actor, newId } = looking
  return fieldFromDraft(draft, { definitions, actor, newId, siblings, existing: old, self: collection })
}

/** Choices by id: their names may change in the same breath. */
const BY_ID = { ...PLAIN_FORM, choices: 'id' } as const

/** A text that becomes a list of choices brings its values along as choices, and a list of choices its own. */
async function startingOptions(
  { reader }: Looking,
  collection: Collection,
  old: Field,
  kind: Field['kind'],
): Promise<OptionsDraft> {
  if (kind !== 'select' && kind !== 'multi-select' && kind !== 'state') return {}
  return { choices: await choicesFromValues(reader, collection, old, kind === 'multi-select') }
}

const optionsOf = (field: Field): OptionsDraft => ({ ...field.options })

/** An old field, what becomes of it, and whether values may be lost on the way. */
type Carrying = { readonly old: Field; readonly next: Field; readonly acceptLoss: boolean }

async function carryValues(writing: Writing, collection: Collection, carrying: Carrying): Promise<void> {
  const { old, next } = carrying
  if (old.kind === 'relation' && next.kind === 'relation' && old.options.collection !== next.options.collection) {
    throw new Problem(
      'definition-invalid',
      'A relation cannot be pointed elsewhere: its values would mean other records. Add a new field.',
    )
  }
  if (old.kind !== next.kind || holdsList(old) !== holdsList(next)) {
    await changeKind(writing, collection, carrying)
    return
  }
  if (hasChoices(old) && hasChoices(next))
    await dropChoices(writing, collection, { old, next, acceptLoss: carrying.acceptLoss })
  await changeUniqueness(writing, collection, old, next)
}

async function changeKind(
  writing: Writing,
  collection: Collection,
  { old, next, acceptLoss }: Carrying,
): Promise<void> {
  if (old.kind === 'files' || next.kind === 'files') {
    throw new Problem(
      'definition-invalid',
      'Files cannot become another kind of value, nor the other way round. Add a new field.',
    )
  }
  const lost = await convertValues(writing, collection, old, next)
  if (lost.count > 0 && !acceptLoss) throw lossProblem(next.label, lost.count, lost.examples)
  if (next.unique) await refuseDuplicates(writing, collection, next)
  if (next.unique) await createUniqueIndex(writing.transaction, collection.id, next.id)
  await fillNewField(writing.transaction, collection.id, next)
}

async function dropChoices(
  writing: Writing,
  collection: Collection,
  {
    old,
    next,
    acceptLoss,
  }: { readonly old: Field<ChoiceKind>; readonly next: Field<ChoiceKind>; readonly acceptLoss: boolean },
): Promise<void> {
  const kept = new Set(next.options.choices.map((choice) => choice.id))
  const gone = old.options.choices.filter((choice) => !kept.has(choice.id))
  if (gone.length === 0) return

  const ids = gone.map((choice) => choice.id)
  const count = await countChoices(writing.transaction, collection, old, ids)
  if (count > 0 && !acceptLoss)
    throw lossProblem(
      next.label,
      count,
      gone.map((choice) => choice.name),
    )
  const instead = next.kind === 'state' ? (next.default ?? next.options.choices[0]?.id ?? null) : null
  await clearChoices(writing.transaction, collection, old, { choices: ids, instead })
}

async function changeUniqueness(writing: Writing, collection: Collection, old: Field, next: Field): Promise<void> {
  if (old.unique && !next.unique) await dropUniqueIndex(writing.transaction, old.id)
  if (old.unique || !next.unique) return
  await refuseDuplicates(writing, collection, next)
  await createUniqueIndex(writing.transaction, collection.id, next.id)
}

async function refuseDuplicates(writing: Writing, collection: Collection, field: Field): Promise<void> {
  const twice = await findDuplicates(writing.transaction, collection, field.id)
  if (twice.length === 0) return
  throw new Problem(
    'definition-invalid',
    `${field.label} cannot be unique yet: ${twice.map((value) => `“${value}”`).join(', ')} stands in more than one record.`,
    { errors: [{ path: 'unique', code: 'duplicates', message: 'Some values stand in more than one record.' }] },
  )
}

/** Tells what a change would lose; saying `acceptLoss` goes ahead. */
function lossProblem(label: string, count: number, examples: readonly string[]): Problem {
  const some = examples.slice(0, 5).map((example) => `“${example}”`)
  return new Problem(
    'definition-invalid',
    `${count === 1 ? 'One value' : `${count} values`} of ${label} would be lost (${some.join(', ')}). Nothing was changed yet.`,
    {
      errors: [{ path: 'acceptLoss', code: 'values-lost', message: 'Say acceptLoss to go ahead.' }],
      extra: { lost: { count, examples } },
    },
  )
}
