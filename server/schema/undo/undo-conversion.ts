import type { UndoResult } from '#api/activity.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { undoneFields, undoneSettings } from '#domain/collections/undone-definition.ts'
import type { Field } from '#domain/fields/field.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { collectionsOf } from '#server/records/activity/definition-parts.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { mergeSkipped, skippedBody } from '#server/records/bulk/skipped-records.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { definitionsChangedBy, type LoggedDefinition } from '#server/records/changes/definition-log.ts'
import { isConditionShown } from '#server/records/rules/evaluate-rules.ts'
import { getField } from '#server/schema/collections/change-collection.ts'
import { assertConvertible, assertFieldReadable, isConverted, withField } from '#server/schema/fields/change-field.ts'
import { changeTo } from '#server/schema/fields/changed-field.ts'
import { type ConversionReport, reportOf } from '#server/schema/fields/convert-values.ts'
import { convertedValues } from '#server/schema/fields/former-values.ts'
import { countRows, hasMoreRows } from '#server/query/run/count-rows.ts'
import { idsAfter } from '#server/schema/fields/values-store.ts'
import { startKindChange } from '#server/schema/kind-changes/change-field-in-background.ts'
import { convertedBack, getFormerValues, leftEmpty } from './undo-collection.ts'
import { collectionPart, NOTHING } from './undone.ts'

/** A field type that many records have, and that is set back by a job. */
export type LargeConversion = {
  readonly changeSet: string
  readonly collection: Collection
  readonly field: Field
  readonly next: Field
  readonly became: Field
}

type ToUndo = { readonly changeSet: string; readonly entries: readonly LoggedDefinition[] }

/** Undefined if a change set can be undone in one write. */
export async function findConversion(
  deps: BulkDeps,
  actor: Actor,
  { changeSet, entries }: ToUndo,
): Promise<LargeConversion | undefined> {
  const definitions = await deps.definitions.current()
  for (const entry of entries) {
    const [before, after] = collectionsOf(entry)
    const current = definitions.byId.get(entry.collection)
    if (!before || !after || !current || entry.kind !== 'collection-changed') continue
    for (const { next, after: became } of undoneFields({ current, before, after }).changed) {
      const field = fieldById(current, next.id)
      if (!field || !isConverted(field, next)) continue
      if (!(await hasMoreRows(deps.database.read, current.id, deps.convertedAtOnce))) continue
      const { collection } = getCollection(definitions, actor, 'collections:manage', current.id)
      assertFieldReadable(actor, collection, field)
      assertConvertible(field, next)
      return { changeSet, collection, field, next, became }
    }
  }
  return undefined
}

export async function startConversion(deps: BulkDeps, actor: Actor, conversion: LargeConversion): Promise<string> {
  const { collection, field, next } = conversion
  const db = deps.database.read
  return startKindChange(deps, actor, {
    place: { collection: collection.id, field: field.id },
    change: { ...changeTo(next), acceptLoss: true },
    former: await getFormerValues({ db, at: deps.clock().toISOString() }, collection, conversion),
    records: await countRows(db, collection.id),
  })
}

/** Records of a large collection that a preview examines. */
const MAX_PREVIEWED = 1000

/** What setting the type back would do to the first records. */
export async function previewConversion(writing: Writing, conversion: LargeConversion): Promise<UndoResult> {
  const { transaction, at } = writing
  const { collection, field, next } = conversion
  const old = getField(collection, field.id)
  const former = await getFormerValues({ db: transaction.db, at }, collection, conversion)
  const ids = await idsAfter(transaction.db, collection.id, null, MAX_PREVIEWED)
  const converted = await convertedValues(transaction, collection, { old, target: next, former }, ids)
  const { restored, ...rest } = reportOf(converted)
  const definitions = collectionPart(collection, withField(collection, next, undefined))
  return { ...NOTHING, changed: restored, definitions, ...skippedIn(field, rest), examined: ids.length }
}

function skippedIn(field: Field, { edited, lost }: Pick<ConversionReport, 'edited' | 'lost'>) {
  const bodyOf = (message: string, records: readonly string[]) =>
    mergeSkipped([], [{ message, records }]).map(skippedBody)
  return {
    ...(edited.length > 0 && { kept: bodyOf(convertedBack(field), edited) }),
    ...(lost.length > 0 && { lost: bodyOf(leftEmpty(field), lost) }),
  }
}

/** The primary field and the workflow that a collection lost with the type of a field that is set back. */
export async function withFormerSettings(
  writing: Writing,
  current: Collection,
  changeSet: string,
): Promise<Collection> {
  const entries = await definitionsChangedBy(writing.transaction.db, changeSet)
  const [before, after] = collectionsOf(entries.find(({ collection }) => collection === current.id) ?? NO_ENTRY)
  if (!before || !after) return current
  const { titleField, workflow } = undoneSettings({ current, before, after }).value
  const isShown = workflow?.transitions.every(({ when }) => when === null || isConditionShown(writing, current, when))
  return {
    ...current,
    ...(titleField !== undefined && { titleField }),
    ...(workflow && isShown && { workflow }),
  }
}

const NO_ENTRY: LoggedDefinition = { id: '', kind: 'collection-changed', collection: '', before: null, after: null }
