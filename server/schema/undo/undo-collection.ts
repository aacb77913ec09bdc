import type { AppearanceChange } from '#domain/collections/collection-appearance.ts'
import {
  type CollectionSettings,
  undoneFields,
  undoneOrder,
  undoneSettings,
} from '#domain/collections/undone-definition.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { type RecordLayout, renamedRecordLayout } from '#domain/collections/record-layout.ts'
import { type Field, hasSelectOptions } from '#domain/fields/field.ts'
import { type FieldId, idLowerBound, type RecordId } from '#domain/shared/ids.ts'
import { sameJson } from '#domain/shared/json.ts'
import { Problem } from '#domain/shared/problem.ts'
import { filterByName } from '#domain/query/filter/saved-filter.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { collectionsOf } from '#server/records/activity/definition-parts.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { withCurrentDefinitions, type Writing } from '#server/records/changes/commit-change.ts'
import type { LoggedDefinition } from '#server/records/changes/definition-log.ts'
import { writtenSince } from '#server/records/changes/deletion-log.ts'
import { trashCutoff } from '#server/records/changes/retention.ts'
import { showRules } from '#server/records/rules/evaluate-rules.ts'
import {
  changeCollectionIn,
  type CollectionChange,
  storeDefinition,
} from '#server/schema/collections/change-collection.ts'
import { deleteCollectionIn, deleteFieldIn } from '#server/schema/deleted-definitions/delete-definition.ts'
import { discardField } from '#server/schema/deleted-definitions/discard-field.ts'
import { restoreDefinitionIn } from '#server/schema/deleted-definitions/restore-definition.ts'
import { assertFieldReadable, changeFieldIn, isConverted } from '#server/schema/fields/change-field.ts'
import { changeTo } from '#server/schema/fields/changed-field.ts'
import { findFormerValues, type FormerValues } from '#server/schema/fields/former-values.ts'
import { recordsWithOption, restoreValuesWithOptions } from '#server/schema/fields/removed-options-store.ts'
import type { Undone } from './undone.ts'

export type CollectionToUndo = {
  /** The change set to undo. */
  readonly changeSet: string
  readonly entry: LoggedDefinition
  /** The change set of the undoing. */
  readonly id: string
  readonly undone: Undone
}

/** Undoes one change of a collection with the same steps by which a user would make the opposite change. */
export async function undoCollectionIn(deps: RecordDeps, begun: Writing, undoing: CollectionToUndo): Promise<void> {
  const { entry, undone } = undoing
  const [before, after] = collectionsOf(entry)
  const writing = await withCurrentDefinitions(deps, begun)
  const current = writing.definitions.byId.get(entry.collection)
  if (before && after)
    return current ? undoChange(deps, begun, { ...undoing, before, after }) : undone.keep(gone(after))
  if (!before && current) undone.add(await deleteCollectionIn(writing, current.id))
  if (!after && !current)
    undone.add(await restoreDefinitionIn(writing, entry.collection).then(undefined, rethrowGone(before?.label ?? '')))
}

const gone = ({ label }: Collection): string => `The collection ${label} was deleted since.`

const rethrowGone =
  (label: string) =>
  (error: unknown): never => {
    if (!(error instanceof Problem) || error.code !== 'not-found') throw error
    throw new Problem('gone', `${label} can’t be restored: it is no longer in the trash.`)
  }

type Changed = CollectionToUndo & { readonly before: Collection; readonly after: Collection }

async function undoChange(deps: RecordDeps, begun: Writing, changed: Changed): Promise<void> {
  const { before, after, undone } = changed
  const now = async () => {
    const writing = await withCurrentDefinitions(deps, begun)
    const { collection } = getCollection(writing.definitions, writing.actor, 'collections:manage', before.id)
    return { writing, current: collection }
  }
  const fields = undoneFields({ current: (await now()).current, before, after })
  for (const { label } of fields.kept) undone.keep(`${label} was changed since.`)
  for (const id of fields.restored) {
    const { writing } = await now()
    const label = fieldById(before, id)?.label ?? ''
    undone.add(await restoreDefinitionIn(writing, id).then(undefined, rethrowGone(label)))
  }
  for (const { next, after: became } of fields.changed) {
    const { writing, current } = await now()
    await undoField(writing, current, { ...changed, next, became })
  }
  for (const id of fields.deleted) undone.add(await deleteFieldIn((await now()).writing, before.id, id))
  await undoOrder(await now(), changed, new Set(fields.restored))
  await undoSettings(await now(), changed)
}

type FieldToUndo = CollectionToUndo & { readonly next: Field; readonly became: Field }

async function undoField(
  writing: Writing,
  collection: Collection,
  { changeSet, id, undone, next: wanted, became }: FieldToUndo,
): Promise<void> {
  const current = fieldById(collection, wanted.id)
  if (!current) return
  const next = await withUsedOptions(writing, collection, { current, next: wanted, undone, changeSet })
  if (sameJson(current, next)) return
  const former = isConverted(current, next)
    ? await getFormerValues({ db: writing.transaction.db, at: writing.at }, collection, {
        field: current,
        became,
        changeSet,
      })
    : undefined
  const place = { collection: collection.id, field: current.id }
  const { answer, ...done } = await changeFieldIn(writing, place, {
    ...changeTo(next),
    acceptLoss: true,
    changeSet: id,
    former,
  })
  undone.add(done)
  if (!answer.report) return restoreOptions(writing, collection, { changeSet, undone, current, next, became })
  const { restored, edited, lost } = answer.report
  undone.setBack(restored)
  if (edited.length > 0) undone.keep(convertedBack(current), edited)
  if (lost.length > 0) undone.lose(leftEmpty(current), lost)
}

type OptionsToRestore = Pick<FieldToUndo, 'changeSet' | 'undone' | 'next' | 'became'> & { readonly current: Field }

/** Records that had removed options get them back, unless they were edited since. */
async function restoreOptions(
  writing: Writing,
  collection: Collection,
  { changeSet, undone, current, next: field, became }: OptionsToRestore,
): Promise<void> {
  if (!hasSelectOptions(field) || !hasSelectOptions(became) || !hasSelectOptions(current)) return
  const known = new Set(current.options.choices.map(({ id }) => id))
  if (field.options.choices.every(({ id }) => known.has(id))) return
  assertFieldReadable(writing.actor, collection, field)
  const { db } = writing.transaction
  const former = await findFormerValues(db, { collection: collection.id, field: field.id, changeSet, at: writing.at })
  if (!former) {
    const isOld = changeSet < idLowerBound(Date.parse(await trashCutoff(db, new Date(writing.at))))
    if (isOld) undone.keep(`Values with the removed options of ${field.label} are no longer kept.`)
    return
  }
  const { restored, kept } = await restoreValuesWithOptions(writing.transaction, collection, { field, former, became })
  await discardField(writing, collection.id, former)
  undone.setBack(restored)
  if (kept.length > 0) undone.keep(`${field.label} was changed since.`, kept)
}

export const convertedBack = ({ label }: Field): string =>
  `${label} was edited since. The new value is kept and converted back.`

export const leftEmpty = ({ label }: Field): string =>
  `${label} was edited since. The new value can’t be converted back, so it will be empty.`

type Former = { readonly field: Field; readonly became: Field; readonly changeSet: string }

export async function getFormerValues(
  { db, at }: { readonly db: Reader; readonly at: string },
  collection: Collection,
  { field, became, changeSet }: Former,
): Promise<FormerValues> {
  const kept = await findFormerValues(db, { collection: collection.id, field: field.id, changeSet, at })
  if (kept) return { kept, became, changeSet }
  throw new Problem(
    'gone',
    `The former values of ${field.label} are no longer kept. You can still change the field type by hand.`,
  )
}

type Options = Pick<FieldToUndo, 'next' | 'undone' | 'changeSet'> & { readonly current: Field }

/** Options that the change added stay if records got them since. */
async function withUsedOptions(
  writing: Writing,
  collection: Collection,
  { current, next, undone, changeSet }: Options,
): Promise<Field> {
  if (isConverted(current, next) || !hasSelectOptions(current) || !hasSelectOptions(next)) return next
  const known = new Set(next.options.choices.map(({ id }) => id))
  const removed = current.options.choices.filter(({ id }) => !known.has(id))
  if (removed.length > 0) assertFieldReadable(writing.actor, collection, current)
  const used = []
  for (const option of removed) {
    const records = await recordsWithOption(writing.transaction, collection, current, option.id)
    if (records && !(await wereAnyWritten(writing, records, { field: current.id, changeSet }))) continue
    used.push(option)
    undone.keep(`The option “${option.name}” is in use.`)
  }
  return { ...next, options: { ...next.options, choices: [...next.options.choices, ...used] } }
}

async function wereAnyWritten(
  { transaction }: Writing,
  records: readonly RecordId[],
  since: { readonly field: FieldId; readonly changeSet: string },
): Promise<boolean> {
  const existed = records.filter((id) => id < since.changeSet)
  return existed.length < records.length || (await writtenSince(transaction.db, existed, since)).size > 0
}

type Now = { readonly writing: Writing; readonly current: Collection }

/** Restored fields follow the field that they followed. */
async function undoOrder(
  { writing, current }: Now,
  { before, after, undone }: Changed,
  restored: ReadonlySet<FieldId>,
): Promise<void> {
  const idsOf = ({ fields }: Collection): FieldId[] => fields.map(({ id }) => id)
  const others = idsOf(current).filter((id) => !restored.has(id))
  const order = undoneOrder({ current: others, before: idsOf(before), after: idsOf(after) })
  const fields = order.flatMap((id) => fieldById(current, id) ?? [])
  if (fields.some(({ id }, at) => id !== current.fields[at]?.id))
    undone.add(await storeDefinition(writing, current, { ...current, fields }))
}

async function undoSettings({ writing, current }: Now, { before, after, undone }: Changed): Promise<void> {
  const { value, isKept } = undoneSettings({ current, before, after })
  if (isKept) undone.keep(`The settings of ${current.label} were changed since.`)
  if (Object.keys(value).length === 0) return
  const { name, label, titleField, rules, workflow, layout } = value
  const has = (part: string): boolean => Object.hasOwn(value, part)
  const change: CollectionChange = {
    ...(name !== undefined && { name }),
    ...(label !== undefined && { label }),
    ...(titleField !== undefined && { titleField }),
    ...appearanceOf(value),
    ...(has('rules') && { rules: ruleDrafts(writing, { ...current, rules: rules ?? [] }) }),
    ...(has('layout') && { layout: layout ? existingPart(current, layout) : null }),
    ...(has('workflow') && { workflow: workflow ? workflowInput(writing, current, workflow) : null }),
  }
  undone.add(await changeCollectionIn(writing, current.id, change))
}

function appearanceOf(value: Partial<CollectionSettings>): AppearanceChange {
  const { icon = null, color = null, group = null, description = null } = value
  return {
    ...('icon' in value && { icon }),
    ...('color' in value && { color }),
    ...('group' in value && { group }),
    ...('description' in value && { description }),
  }
}

/** Former rules get new IDs, unless they still exist. Rules that the actor can't see stay as they are. */
function ruleDrafts(writing: Writing, former: Collection): NonNullable<CollectionChange['rules']> {
  const known = new Set(writing.definitions.byId.get(former.id)?.rules?.map(({ id }) => id))
  return showRules(writing, former).map(({ id, ...rule }) => (known.has(id) ? { id, ...rule } : rule))
}

/** A layout that is saved can't contain fields that were deleted since. */
const existingPart = (current: Collection, layout: RecordLayout): RecordLayout =>
  renamedRecordLayout(layout, (id) => fieldById(current, id)?.id)

function workflowInput(
  { definitions }: Writing,
  collection: Collection,
  { transitions, states }: NonNullable<Collection['workflow']>,
): NonNullable<CollectionChange['workflow']> {
  const world = { collection, collectionOf: (id: string) => definitions.byId.get(id) }
  return {
    transitions: transitions.map(({ when, roles, ...rest }) => ({
      ...rest,
      roles: [...roles],
      when: when && filterByName(when, world),
    })),
    states: Object.fromEntries(
      Object.entries(states).map(([state, { requiredToLeave, frozen }]) => [
        state,
        { requiredToLeave: [...requiredToLeave], frozen: frozen === 'all' ? frozen : [...frozen] },
      ]),
    ),
  }
}
