import { userIdOf } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type Writing, commitChange } from '#server/records/changes/commit-change.ts'
import { withoutRuleChecks } from '#server/records/changes/record-changes.ts'
import { updateFiles } from '#server/records/values/attach-files.ts'
import { lockRecords } from '#server/records/crud/read-record.ts'
import { writeValues } from '#server/records/write/write-values.ts'
import { assertDefinitionUnchanged, assertImportOwner } from '#server/transfer/imports/run/batch-storer.ts'
import { type StagedChange, changesAfter, markWritten } from './changes-store.ts'
import { frozenFieldErrors, restrictedRows } from '#server/transfer/imports/checks/restricted-fields.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { rowTargetOf, revertRuleViolations } from '#server/transfer/imports/checks/check-rules.ts'
import { findRemovedRows } from '#server/transfer/imports/run/rows-store.ts'
import { isSame } from './stage-changes.ts'
import type { StartedImport } from '#server/transfer/imports/stored-import.ts'
import { valueChanges } from '#server/records/bulk/update-in-batch.ts'
import { currentImporter } from '#server/transfer/imports/run/recheck-permission.ts'

/** Keeps writes short, so that other writers don't have to wait. */
const CHANGES_PER_WRITE = 250

/** The last changes are written in the transaction that completes the import. */
export type AppliedChanges = { readonly last: readonly StagedChange[]; readonly refused: readonly RowError[] }

/**
 * Applies changes in short writes and returns the last ones, which are applied in the transaction that completes the
 * import.
 */
export async function applyChanges(
  deps: ImportDeps,
  started: StartedImport,
  signal: AbortSignal,
): Promise<AppliedChanges> {
  const { id } = started.item
  const refused: RowError[] = []
  for (let record = ''; ; ) {
    if (signal.aborted) throw signal.reason
    const importer = await currentImporter(deps, started)
    const behind = record
    const step = await commitChange<AppliedStep>(deps, importer, async (writing) => {
      await assertImportOwner(deps, writing.transaction, id)
      const some = await changesAfter(writing.transaction, id, { record: behind, max: CHANGES_PER_WRITE + 1 })
      const isLast = some.length <= CHANGES_PER_WRITE
      if (isLast) return { answer: { some, isLast, refused: [] }, changes: [], events: [] }
      const now = some.slice(0, CHANGES_PER_WRITE)
      const written = await writeSome(deps, writing, started, now)
      const { refused: more, changes, events } = written
      return { answer: { some: now, isLast, refused: more }, changes, changeSet: changeSetOf(id), events }
    })
    refused.push(...step.refused)
    if (step.isLast) return { last: step.some, refused }
    record = step.some.at(-1)?.record ?? ''
  }
}

type AppliedStep = {
  readonly some: readonly StagedChange[]
  readonly isLast: boolean
  readonly refused: readonly RowError[]
}

/** Doesn't overwrite a value that someone else changed in the meantime. */
export async function writeSome(
  deps: ImportDeps,
  writing: Writing,
  started: StartedImport,
  staged: readonly StagedChange[],
) {
  const { transaction, at } = writing
  const { collection } = started.plan
  const changes = staged.filter(({ after }) => Object.keys(after).length > 0)
  if (changes.length === 0) return { refused: [], changes: [], events: [] }
  await assertDefinitionUnchanged(deps, transaction, collection)
  const ids = changes.map(({ record }) => record)
  const records = await lockRecords(writing, collection, ids)
  const byId = new Map(records.map((record) => [record.id, record]))
  const isLost = await removedTargets(writing, collection, changes)
  const closed = await restrictedRows(writing, collection, changes.map(rowTargetOf))
  const isClosed = new Set(closed.map(({ record }) => record))

  const refused: RowError[] = closed.map(({ error }) => error)
  const fitting = changes.filter((change) => {
    const record = byId.get(change.record)
    const [frozen] = record ? frozenFieldErrors(collection, record, rowTargetOf(change)) : []
    const message = faultOf(record, change) ?? frozen?.message ?? (isLost(change) ? TARGET_REMOVED : undefined)
    if (message !== undefined) refused.push({ row: change.row, column: '', message })
    return message === undefined && !isClosed.has(change.record)
  })
  const [first] = refused
  if (first && !started.skipsBadRows) throw new Problem('import-failed', `Row ${first.row}: ${first.message}`)

  const before = fitting.flatMap(({ record }) => byId.get(record) ?? [])
  const written = await writeValues(
    // Rules are checked row by row below.
    withoutRuleChecks(writing),
    collection,
    before.map((record, index) => ({
      record,
      values: fitting[index]?.after ?? {},
      updatedAt: at,
      updatedBy: userIdOf(started.actor),
    })),
  )
  const lawful = await revertRuleViolations(writing, collection, { before, written, changes: fitting })
  const wasOf = new Map(before.map((record, index) => [record.id, { record, change: fitting[index] }]))
  await markWritten(
    transaction,
    started.item.id,
    lawful.written.flatMap(({ id, version }) => {
      const { record: was, change } = wasOf.get(id) ?? {}
      return change && was ? [{ ...change, version, updatedAt: was.updatedAt, updatedBy: was.updatedBy }] : []
    }),
  )
  for (const { id } of lawful.written) {
    const { record: was, change } = wasOf.get(id) ?? {}
    // A CSV contains no files, but its text can replace a document that contains files.
    if (was && change) await updateFiles(writing, collection, { record: id, before: was.values, after: change.after })
  }
  const stored = lawful.written.map(({ id }) => id)
  const events = [{ type: 'records-changed' as const, collection: collection.id, records: stored }]
  const moves = lawful.written.flatMap(({ id }) => {
    const { record, change } = wasOf.get(id) ?? {}
    return record && change ? [{ record, values: change.after }] : []
  })
  return { refused: [...refused, ...lawful.refused], changes: valueChanges(collection, moves), events }
}

/** The change set of an import. */
export const changeSetOf = (id: string) => ({ id, via: 'import', sourceId: id }) as const

const TARGET_REMOVED = 'The linked record was just deleted.'

function faultOf(record: CollectionRecord | undefined, { before }: StagedChange): string | undefined {
  if (!record) return 'The record was deleted during the import.'
  const isSameStill = Object.entries(before).every(([field, value]) => isSame(record.values[field] ?? null, value))
  return isSameStill ? undefined : 'Someone else edited the record during the import.'
}

/** Returns a predicate for changes that link to a record that has since been deleted. */
async function removedTargets({ transaction }: Writing, collection: Collection, changes: readonly StagedChange[]) {
  const relations = collection.fields.filter((field) => field.kind === 'relation')
  const lost = new Set<string>()
  for (const field of relations) {
    const ids = [...new Set(changes.flatMap((change) => targetsOf(change, field)))]
    for (const id of await findRemovedRows(transaction, field.options.collection, ids)) lost.add(id)
  }
  return (change: StagedChange): boolean =>
    lost.size > 0 && relations.some((field) => targetsOf(change, field).some((id) => lost.has(id)))
}

function targetsOf({ after }: Pick<StagedChange, 'after'>, field: Field): string[] {
  const value = after[field.id]
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.map(String) : []
}
