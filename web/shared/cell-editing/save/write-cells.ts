import { bulkChange, MAX_AT_ONCE } from '#api/bulk.ts'
import { listRecords, type RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { toCallError, type CallError, type FailureCode } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { toWireValue } from '#web/shared/fields/client-value.ts'
import { FOR_LISTS } from '#web/data/queries/record-list-queries.ts'
import {
  byRecord,
  type CellChange,
  type RecordCellError,
  sameShown,
} from '#web/shared/cell-editing/store/cell-edits.ts'

type Values = { readonly [field: string]: unknown }

/** Cell changes, creations and deletions, applied atomically. */
export type Operation = {
  readonly changes: readonly CellChange[]
  readonly make: readonly { readonly values: Values }[]
  readonly remove: readonly string[]
}

export const countRecords = ({ changes, make, remove }: Operation): number =>
  byRecord(changes).size + make.length + remove.length

export const exceedsRequestLimit = (operation: Operation): boolean => countRecords(operation) > MAX_AT_ONCE

export type WriteResult =
  | { readonly is: 'done'; readonly created: readonly string[] }
  /** Some records have changed and must be reloaded. */
  | { readonly is: 'overtaken' }
  /** There was no response; the operation may be retried. */
  | { readonly is: 'unreachable' }
  /** The session ended; nothing was saved. */
  | { readonly is: 'signed-out' }
  | {
      readonly is: 'refused'
      readonly title: string
      readonly detail: string
      readonly faults: readonly RecordCellError[]
    }

/** `versions`: the record versions that the user saw. */
export async function writeCells(
  collection: string,
  fields: readonly Field[],
  operation: Operation,
  versions: ReadonlyMap<string, number>,
): Promise<WriteResult> {
  const update = [...byRecord(operation.changes)].map(([id, cells]) => ({
    id,
    values: wireValues(fields, Object.fromEntries(cells.map(({ field, is }) => [field, is]))),
    ...(versions.has(id) && { version: versions.get(id) }),
  }))
  const body = {
    ...(update.length > 0 && { update }),
    ...(operation.make.length > 0 && {
      create: operation.make.map(({ values }) => ({ values: wireValues(fields, values) })),
    }),
    ...(operation.remove.length > 0 && { delete: [...operation.remove] }),
  }
  return call(bulkChange, { params: { collection }, body }).then(
    (answer): WriteResult => ({ is: 'done', created: 'created' in answer ? answer.created : [] }),
    (error: unknown) => rejectionOf(error, operation),
  )
}

function wireValues(fields: readonly Field[], values: Values): { [field: string]: unknown } {
  const wire = (name: string, value: unknown): unknown => {
    const field = fields.find((each) => each.name === name)
    return field ? toWireValue(field, value) : value
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, wire(name, value) ?? null]))
}

const SIGNED_OUT: readonly FailureCode[] = [
  'session-expired',
  'session-ended',
  'token-missing',
  'token-expired',
  'token-invalid',
]

export function rejectionOf(error: unknown, operation: Operation): WriteResult {
  const failure = toCallError(error)
  if (failure?.code === 'version-conflict' || failure?.code === 'record-not-found') return { is: 'overtaken' }
  if (failure && SIGNED_OUT.includes(failure.code)) return { is: 'signed-out' }
  // If the session changed in the meantime, the operation may still have been saved.
  if (failure?.isPassing || failure?.code === 'session-changed') return { is: 'unreachable' }
  return { is: 'refused', ...describeError(error), faults: failure ? errorsIn(failure, operation) : [] }
}

/** The cells of the record named in the error, or all cells that may have caused it. */
function errorsIn({ errors, extra }: CallError, { changes }: Operation): readonly RecordCellError[] {
  const named = extra['record']
  return errors.flatMap(({ path, code, message }) => {
    const cells = changes.filter(({ field }) => field === path)
    const own = cells.filter(({ record }) => record === named)
    const meant = own.length === 0 && code === 'not-unique' ? repeatedIn(cells) : own
    return (meant.length > 0 ? meant : cells).map(({ record, field }) => ({ record, field, message }))
  })
}

/** Cells that repeat the value of an earlier cell. */
function repeatedIn(cells: readonly CellChange[]): readonly CellChange[] {
  const seen = new Set<unknown>()
  return cells.filter(({ is }) => seen.size === seen.add(is).size)
}

/** Keeps request URLs below the maximum length. */
const IDS_PER_REQUEST = 100

/** The result omits deleted records. */
export async function readRecords(collection: string, ids: readonly string[]): Promise<readonly RecordListItem[]> {
  const found: RecordListItem[] = []
  for (let at = 0; at < ids.length; at += IDS_PER_REQUEST) {
    const some = ids.slice(at, at + IDS_PER_REQUEST)
    const filter = printFilter({ field: 'id', op: 'in', value: some })
    const query = { ...FOR_LISTS, filter, perPage: IDS_PER_REQUEST, count: 'none' } as const
    const { items } = await call(listRecords, { params: { collection }, query })
    found.push(...items)
  }
  return found
}

export type RereadRecords = {
  /** Cells unchanged since the user saw them. */
  readonly free: readonly CellChange[]
  /** Cells that already have the new value. */
  readonly already: readonly CellChange[]
  /** Cells changed by someone else. */
  readonly disputed: readonly CellChange[]
  /** Cells in deleted or hidden records. */
  readonly gone: readonly CellChange[]
}

export function compareRecords(
  fields: readonly Field[],
  changes: readonly CellChange[],
  records: readonly RecordListItem[],
): RereadRecords {
  const now = new Map(records.map((record) => [record.id, record]))
  const fieldOf = new Map(fields.map((field) => [field.name, field]))
  const sorted = Map.groupBy(changes, ({ record, field: name, was, is }): keyof RereadRecords => {
    const found = now.get(record)
    const field = fieldOf.get(name)
    if (!found || !field) return 'gone'
    if (sameShown(field, found.values[name], is)) return 'already'
    return sameShown(field, found.values[name], was) ? 'free' : 'disputed'
  })
  const part = (name: keyof RereadRecords): readonly CellChange[] => sorted.get(name) ?? []
  return { free: part('free'), already: part('already'), disputed: part('disputed'), gone: part('gone') }
}
