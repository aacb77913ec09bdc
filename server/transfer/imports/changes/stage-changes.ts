import { unreadableFields } from '#domain/access/decide.ts'
import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import type { KeyColumn, ReferenceField } from '#domain/imports/row-to-values.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { CellValue, Transaction } from '#server/platform/database/database.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import { lockRecords } from '#server/records/crud/read-record.ts'
import { valueOfCell } from '#server/records/values/row-mapping.ts'
import { type KeyMatch, type StagedChange, findByKey, recordsStaged, stageChanges } from './changes-store.ts'
import {
  type RestrictedRow,
  type RowTarget,
  frozenFieldErrors,
} from '#server/transfer/imports/checks/restricted-fields.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import { rowTargetOf } from '#server/transfer/imports/checks/check-rules.ts'
import type { CandidateRow, FilteredRows } from '#server/transfer/imports/run/link-rows.ts'
import { valueHolders } from '#server/transfer/imports/run/rows-store.ts'
import { duplicateMessage } from '#server/transfer/imports/checks/check-rows.ts'
import type { StartedImport } from '#server/transfer/imports/stored-import.ts'

/** The columns that store the values of a candidate row. */
export type RowShape = {
  readonly columns: readonly string[]
  readonly pointers: readonly ReferenceField[]
  readonly lists: readonly Field[]
  readonly brought: readonly Field[]
}

/** Result of an import batch with a key: new records, rejected rows, and the number of updates. */
export type Staged = FilteredRows & { readonly updated: number }

export type Staging = {
  readonly transaction: Transaction
  readonly started: StartedImport
  readonly key: KeyColumn
  readonly shape: RowShape
  readonly pending: readonly string[]
  /** Finds rows that change a field that the actor can't edit in that record. */
  readonly closed: (brought: readonly RowTarget[]) => Promise<readonly RestrictedRow[]>
}

/** Stages changes to existing records and returns the rows that are new. Ambiguous and repeated keys are rejected. */
export async function stageUpdates(staging: Staging, candidates: readonly CandidateRow[]): Promise<Staged> {
  const { transaction, started, key, shape } = staging
  const found = await findKeys(staging, candidates)
  const ids = [...found.values()].flatMap(({ id, count, isOfImport }) => (count === 1 && !isOfImport ? id : []))
  const taken = await recordsStaged(transaction, started.item.id, ids)
  const seen = new Set<string | number>()
  const refused: RowError[] = []
  const fresh: CandidateRow[] = []
  const updates: Update[] = []
  for (const candidate of candidates) {
    const there = candidate.key === null ? undefined : found.get(cellOf(candidate.key))
    const fault = faultOf(key, candidate, { there, isRepeated: seen.has(candidate.key ?? ''), taken })
    if (candidate.key !== null) seen.add(candidate.key)
    if (fault !== undefined) refused.push({ row: candidate.number, column: key.header, message: fault })
    else if (there) updates.push({ candidate, id: there.id })
    else fresh.push(candidate)
  }
  const fields = shape.brought.map((field) => field.id)
  // Checked even if a row changes nothing, because the result would otherwise reveal the stored value.
  const closed = await staging.closed(
    updates.map(({ candidate, id }) => ({ row: candidate.number, record: id, fields })),
  )
  refused.push(...closed.map(({ error }) => error))
  const isClosed = new Set(closed.map(({ record }) => record))
  const thawed = await changesOf(
    staging,
    updates.filter(({ id }) => !isClosed.has(id)),
  )
  const sifted = await rejectTakenValues(staging, thawed.changes)
  await stageChanges(transaction, started.item.id, sifted.changes)
  return {
    candidates: fresh,
    refused: [...refused, ...thawed.refused, ...sifted.refused],
    updated: sifted.changes.length,
  }
}

type Update = { readonly candidate: CandidateRow; readonly id: RecordId }

async function findKeys(
  { transaction, started, key, pending }: Staging,
  candidates: readonly CandidateRow[],
): Promise<Map<CellValue, KeyMatch>> {
  const keys = [...new Set(candidates.flatMap((candidate) => candidate.key ?? []))]
  const column = key.field === 'id' ? 'id' : columnOf(key.field)
  const { dialect } = transaction
  const place = { dialect, collection: started.plan.collection.id, column, importId: started.item.id, pending }
  const found = await findByKey(transaction.db, place, keys)
  return new Map([...found].map(([cell, there]) => [cellOf(cell), there]))
}

/** Compares numbers as text, because PostgreSQL returns large integers as text. */
const cellOf = (cell: CellValue): CellValue => (typeof cell === 'number' ? String(cell) : cell)

type KeyFacts = {
  readonly there: KeyMatch | undefined
  readonly isRepeated: boolean
  readonly taken: ReadonlySet<RecordId>
}

function faultOf(key: KeyColumn, candidate: CandidateRow, { there, isRepeated, taken }: KeyFacts): string | undefined {
  if (candidate.key === null) return undefined
  const shown = `“${String(candidate.key).slice(0, 60)}”`
  if (isRepeated || there?.isOfImport === true || (there && taken.has(there.id))) {
    return `${shown} already occurs in a row above, so the record is ambiguous.`
  }
  if (there && there.count > 1) {
    return `${shown} matches ${there.count.toLocaleString('en')} records, so the record is ambiguous.`
  }
  const mayBeNew = there !== undefined || key.field !== 'id'
  return mayBeNew ? undefined : `There is no record with the ID ${shown}. Leave the ID empty to create a new record.`
}

/** Differences between rows and their records; changes to locked fields are rejected. */
async function changesOf(staging: Staging, updates: readonly Update[]): Promise<CheckedChanges> {
  const { transaction, started, shape } = staging
  const { collection } = started.plan
  const ids = updates.map(({ id }) => id)
  const records = await lockRecords({ transaction }, collection, ids)
  const byId = new Map(records.map((record) => [record.id, record]))
  const refused: RowError[] = []
  // Importing by key requires read permission for every record.
  const unread = unreadableFields(started.actor, collection)
  const changes = updates.flatMap(({ candidate, id }) => {
    const record = byId.get(id)
    if (!record) return []
    const change = { record: id, row: candidate.number, ...differing(shape, record, candidate, unread) }
    const frozen = frozenFieldErrors(collection, record, rowTargetOf(change))
    refused.push(...frozen)
    return frozen.length > 0 ? [] : [change]
  })
  return { changes, refused }
}

/** Includes unreadable fields, because leaving out unchanged ones would reveal their values. */
function differing(shape: RowShape, record: CollectionRecord, candidate: CandidateRow, unread: HiddenFields) {
  const before: { [field: string]: FieldValue } = {}
  const after: { [field: string]: FieldValue } = {}
  for (const field of shape.brought) {
    const value = valueIn(shape, field, candidate)
    const was = record.values[field.id] ?? emptyValue(field)
    // A status can't be cleared; for an empty cell, it is left unchanged.
    if (field.kind === 'state' && value === null) continue
    if (isSame(value, was) && !unread.has(field.id)) continue
    before[field.id] = was
    after[field.id] = value
  }
  return { before, after }
}

function valueIn({ columns, pointers, lists }: RowShape, field: Field, candidate: CandidateRow): FieldValue {
  const pointer = pointers.findIndex((each) => each.id === field.id)
  const ids = candidate.ids[pointer] ?? []
  if (pointer !== -1) return holdsList(field) ? ids : (ids[0] ?? null)
  if (!holdsList(field)) return valueOfCell(field, candidate.row[columns.indexOf(columnOf(field.id))])
  return candidate.lists[lists.findIndex((each) => each.id === field.id)] ?? []
}

export const isSame = (left: FieldValue, right: FieldValue): boolean => sameJson(left, right)

type CheckedChanges = { readonly changes: readonly StagedChange[]; readonly refused: readonly RowError[] }

/** Rejects changes that would duplicate a unique value. */
async function rejectTakenValues(
  { transaction, started }: Staging,
  changes: readonly StagedChange[],
): Promise<CheckedChanges> {
  const { collection } = started.plan
  const refused: RowError[] = []
  let fitting = changes
  for (const field of collection.fields.filter((each) => each.unique)) {
    const wanted = fitting.flatMap(({ after }) => cellValue(after[field.id]) ?? [])
    const holders = await valueHolders(transaction, collection.id, columnOf(field.id), wanted)
    fitting = fitting.filter(({ record, row, after }) => {
      const value = cellValue(after[field.id])
      const holder = value === null ? undefined : holders.get(String(value))
      if (value !== null) holders.set(String(value), record)
      if (holder === undefined || holder === record) return true
      refused.push({ row, column: field.label, message: duplicateMessage(field, value) })
      return false
    })
  }
  return { changes: fitting, refused }
}

const cellValue = (value: RecordValues[string] | undefined): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null
