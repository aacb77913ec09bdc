import type { Actor } from '#domain/access/actor.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import { checkChangedValues } from '#domain/records/check-values.ts'
import { nameValues } from '#domain/records/named-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { undoableFields } from '#domain/records/undone-changes.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { Problem, type SkippedByReason } from '#domain/shared/problem.ts'
import { reasonOf, validateEach } from '#server/records/bulk/skipped-records.ts'
import { type UpdateItem, updateInBatch } from '#server/records/bulk/update-in-batch.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { definitionAt } from '#server/records/changes/definition-store.ts'
import { lockRecords } from '#server/records/crud/read-record.ts'
import { assertAllInScope } from '#server/records/crud/visible-records.ts'
import type { FieldFilter } from '#server/records/history/walk-history.ts'
import { withConflictingValues } from '#server/records/restore/restore-records.ts'
import { restoredValues } from '#server/records/restore/restored-values.ts'
import { validValues } from '#server/records/values/value-errors.ts'
import { checkTransition, ownStatusBefore, writeStatus } from '#server/records/workflow/transition-record.ts'
import { workflowOf } from '#server/records/workflow/transition-problems.ts'
import {
  assertWritableFields,
  partlyWritableFields,
  type WriteScope,
} from '#server/records/write/assert-writable-fields.ts'
import { writeChangedRecord } from '#server/records/write/write-records.ts'
import { decisionsOf, recordsPermitted, type UndoPlan } from './undo-plan.ts'

type Undone = {
  readonly changed: readonly RecordId[]
  readonly kept: readonly SkippedByReason[]
  readonly refused: readonly SkippedByReason[]
  readonly changes: readonly Change[]
}

/** A record, and the fields that still have the value that the change set gave them. */
type FormerValues = {
  readonly record: CollectionRecord
  readonly before: RecordValues
  readonly fields: readonly Field[]
}

type Found = {
  /** Records that the actor can read. */
  readonly records: readonly CollectionRecord[]
  readonly seenIn: (record: RecordId) => FieldFilter | undefined
}

/** Sets the changed values of records back, except those that were changed since. Values are checked like any others. */
export async function undoValues(
  writing: Writing,
  checkers: readonly Actor[],
  plan: UndoPlan,
  { records, seenIn }: Found,
): Promise<Undone> {
  const { collection } = plan
  const reports = createReports()
  const wanted = records.flatMap((record): FormerValues[] => {
    const step = plan.steps.get(record.id)
    if (step?.does !== 'change') return []
    const { back, changedSince } = undoableFields(record.values, step)
    const isSeen = seenIn(record.id) ?? (() => false)
    for (const { label } of fieldsAmong(collection, changedSince.filter(isSeen)))
      reports.kept(`${label} was changed since.`, record.id)
    const fields = fieldsAmong(collection, back.filter(isSeen)).filter(({ kind }) => kind !== 'auto-number')
    return fields.length === 0 ? [] : [{ record, before: step.before, fields }]
  })
  const context = { writing, checkers, plan, reports }
  const moved = await undoMoves(context, wanted)
  const updated = await undoUpdates(context, wanted)
  return {
    changed: [...new Set([...moved.records, ...updated.records])],
    kept: reports.allKept(),
    refused: reports.allRefused(),
    changes: [...moved.changes, ...updated.changes],
  }
}

const fieldsAmong = (collection: Collection, ids: readonly FieldId[]): readonly Field[] =>
  ids.flatMap((id) => fieldById(collection, id) ?? [])

type Reason = { readonly message: string; readonly record: RecordId }

function createReports() {
  const kept: Reason[] = []
  const refused: Reason[] = []
  const all = (reasons: readonly Reason[]): SkippedByReason[] =>
    [...Map.groupBy(reasons, ({ message }) => message)].map(([message, own]) => ({
      message,
      records: own.map(({ record }) => record),
    }))
  return {
    kept: (message: string, record: RecordId) => void kept.push({ message, record }),
    refused: (message: string, record: RecordId) => void refused.push({ message, record }),
    allKept: () => all(kept),
    allRefused: () => all(refused),
  }
}

type Context = {
  readonly writing: Writing
  readonly checkers: readonly Actor[]
  readonly plan: UndoPlan
  readonly reports: ReturnType<typeof createReports>
}

type Written = { readonly records: readonly RecordId[]; readonly changes: readonly Change[] }

const isStatus = ({ workflow }: Collection, { id }: Field): boolean => workflow?.field === id

/** The comment of transitions that undo others. */
const NOTE = 'Undone'

/** Status changes are undone by a transition, or like the actor's own last change. */
async function undoMoves(context: Context, wanted: readonly FormerValues[]): Promise<Written> {
  const { writing, checkers, plan, reports } = context
  const { collection } = plan
  const moving = wanted.filter(({ fields }) => fields.some((field) => isStatus(collection, field)))
  if (moving.length === 0) return { records: [], changes: [] }
  const way = workflowOf(collection)
  const ids = moving.map(({ record }) => record.id)
  const permitted = await recordsPermitted(writing, checkers, { collection, permission: 'records:transition' }, ids)
  const changes: Change[] = []
  const records: RecordId[] = []
  for (const { record, before } of moving) {
    const value = before[way.state.id]
    const to = typeof value === 'string' ? value : ''
    const check = async (): Promise<void> => {
      if (!permitted.has(record.id)) throw new Problem('forbidden', 'You don’t have permission to change their status.')
      for (const actor of checkers) {
        const own = { ...writing, actor }
        if ((await ownStatusBefore(own, way, record)) !== to)
          await checkTransition(own, way, record, { to, note: NOTE })
      }
      changes.push(
        ...(await writeStatus(writing, collection, record, { status: { [way.state.id]: to }, note: NOTE })).changes,
      )
      records.push(record.id)
    }
    await check().then(undefined, (error: unknown) => {
      if (!(error instanceof Problem)) throw error
      reports.refused(reasonOf(error), record.id)
    })
  }
  return { records, changes }
}

async function undoUpdates(context: Context, wanted: readonly FormerValues[]): Promise<Written> {
  const { writing, checkers, plan, reports } = context
  const { collection } = plan
  const updating = wanted.flatMap((one) => {
    const fields = one.fields.filter((field) => !isStatus(collection, field))
    return fields.length === 0 ? [] : [{ ...one, fields }]
  })
  const ids = updating.map(({ record }) => record.id)
  const permitted = await recordsPermitted(writing, checkers, { collection, permission: 'records:update' }, ids)
  for (const id of ids.filter((one) => !permitted.has(one)))
    reports.refused('You don’t have permission to edit them.', id)
  const items = await formerItems(
    context,
    updating.filter(({ record }) => permitted.has(record.id)),
  )
  if (items.length === 0) return { records: [], changes: [] }
  const decisions = decisionsOf(checkers, 'records:update', collection) ?? []
  const scopes = decisions.map(({ actor, ...decision }) => ({
    own: { ...writing, actor },
    scope: { collection, decision },
  }))
  const assertWritable = async (): Promise<void> => {
    for (const { own, scope } of scopes) {
      await validateEach(items, async ({ id, values }) => {
        const partly = partlyWritableFields(own.actor, scope, values)
        validValues(checkChangedValues(collection, values, scope.decision.hiddenFields))
        await assertWritableFields(own, scope, partly, [id])
      })
    }
  }
  await assertWritable()
  const records = items.map(({ id }) => id)
  const changes = await writeItems(writing, { collection, decision: decisions[0] ?? NEVER }, items)
  for (const { own, scope } of scopes) await assertAllInScope(own, collection, scope.decision, records)
  await assertWritable()
  return { records, changes }
}

const NEVER = { allowed: true, hiddenFields: new Set<FieldId>() } as const

/** The former values by field name. Values that can't be set back completely are left as they are, and reported. */
async function formerItems(
  { writing, plan: { collection, entries }, reports }: Context,
  updating: readonly FormerValues[],
): Promise<readonly UpdateItem[]> {
  if (updating.length === 0) return []
  const touched = new Set(updating.flatMap(({ fields }) => fields))
  const part = { ...collection, fields: collection.fields.filter((field) => touched.has(field)) }
  const then = await definitionAt(writing.transaction.db, collection.id, entries.at(-1)?.id ?? '')
  const former = updating.map(({ record, before, fields }) => ({
    id: record.id,
    values: Object.fromEntries(fields.map(({ id }) => [id, before[id] ?? null])),
  }))
  const { values } = await restoredValues(writing, part, former, then)
  const taken = await withConflictingValues(writing, part, former)
  for (const { message, records } of taken) for (const record of records) reports.refused(message, record)
  const conflicting = new Set(taken.flatMap(({ records }) => records))
  return updating.flatMap(({ record, before, fields }) => {
    const restored = values.get(record.id) ?? {}
    const whole = fields.filter((field) => {
      if (field.unique && conflicting.has(record.id)) return false
      if (isWhole(field, restored[field.id], before[field.id])) return true
      reports.refused(
        `${field.label} can’t be set back: the option, file or linked record no longer exists.`,
        record.id,
      )
      return false
    })
    if (whole.length === 0) return []
    const named = nameValues({ ...collection, fields: whole }, restored, new Set())
    return [{ id: record.id, values: named }]
  })
}

/** A status whose option was deleted would become the initial one. */
const isWhole = ({ kind }: Field, restored: FieldValue | undefined, before: FieldValue | undefined): boolean =>
  kind === 'state' ? restored === before : sizeOf(restored) >= sizeOf(before)

const sizeOf = (value: FieldValue | undefined): number =>
  Array.isArray(value) ? value.length : value === null || value === undefined || value === '' ? 0 : 1

/** Writes all values in one statement, or one by one to find out which records are rejected. */
async function writeItems(
  writing: Writing,
  scope: WriteScope,
  items: readonly UpdateItem[],
): Promise<readonly Change[]> {
  const together = await updateInBatch(writing, scope, items)
  if (together) return together.changes
  const { collection, decision } = scope
  const records = await lockRecords(
    writing,
    collection,
    items.map(({ id }) => id),
  )
  const valuesOf = new Map(items.map(({ id, values }) => [id, values]))
  const changes: Change[] = []
  await validateEach(records, async (record) => {
    const values = validValues(checkChangedValues(collection, valuesOf.get(record.id) ?? {}, decision.hiddenFields))
    changes.push(...(await writeChangedRecord(writing, collection, record, values)).changes)
  })
  return changes
}
