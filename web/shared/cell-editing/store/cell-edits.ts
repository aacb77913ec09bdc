import type { Field } from '#domain/fields/field.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'
import { toWireValue } from '#web/shared/fields/client-value.ts'
import type { RecordListItem } from '#api/records.ts'
import { sessionState } from '#web/data/session/session-state.ts'

/** What becomes of one cell: the record, the field's name, and its value before and after, as the browser holds values. */
export type CellChange = {
  readonly record: string
  readonly field: string
  readonly was: unknown
  readonly is: unknown
}

/** Values came from JSON or are written as JSON: they are nothing else. */
const asJson = (value: unknown): Json => (value ?? null) as Json

/** Whether two values of a field say the same: related records, people and files by their ids. */
export function sameShown(field: Field, left: unknown, right: unknown): boolean {
  return sameJson(asJson(toWireValue(field, left)), asJson(toWireValue(field, right)))
}

/** The changes with their values before and after in each other's place: what undoes them. */
export const reversed = (changes: readonly CellChange[]): readonly CellChange[] =>
  changes.map(({ record, field, was, is }) => ({ record, field, was: is, is: was }))

/** The changes by record, in the order in which records are first named. */
export const byRecord = (changes: readonly CellChange[]): ReadonlyMap<string, readonly CellChange[]> =>
  Map.groupBy(changes, ({ record }) => record)

/** A value somebody gave a cell and the server has not answered yet. */
type PendingValue = { readonly batch: number; readonly is: unknown }

/** What is known of a record beyond what the list last read of it. */
type RecordEdits = {
  /** By field, oldest first; the last is shown. */
  readonly held: { readonly [field: string]: readonly PendingValue[] }
  /** Stored since, as far as the list may not know it yet. */
  readonly stored: { readonly [field: string]: unknown }
  /** The version the last store has made; 0 before any. */
  readonly storedVersion: number
  readonly storedAt: string
  /** The record as it was read beside the list, to see what somebody else has made of it. */
  readonly latest: RecordListItem | undefined
  /** What is being written in it beside the list. */
  readonly drafted: { readonly [field: string]: unknown }
  readonly faults: CellErrors
}

/** What is wrong with a cell, and the value it was to get, so that nothing that was typed is lost. */
type CellError = { readonly message: string; readonly refused?: unknown }

/** What is wrong with cells of a record, by field. */
export type CellErrors = { readonly [field: string]: CellError }

/** A record as it is to be shown, and what is wrong with its cells. */
type RecordWithEdits = { readonly record: RecordListItem; readonly faults: CellErrors }

/** A sentence about a cell. */
export type RecordCellError = { readonly record: string; readonly field: string; readonly message: string }

const NO_ERRORS: CellErrors = {}

const UNTOUCHED: RecordEdits = {
  held: {},
  stored: {},
  storedVersion: 0,
  storedAt: '',
  latest: undefined,
  drafted: {},
  faults: NO_ERRORS,
}

/** More records are not remembered once nothing of them is under way: by then every list has been read again. */
const MAX_REMEMBERED = 20_000

/** What a list shows of edits: a new one with every change of them. */
export type EditsSnapshot = {
  /** Records that were just made and stand below the list until it is read again. */
  readonly made: readonly RecordListItem[]
  /** A record with everything laid over it; the same object for as long as nothing changes, undefined for nothing. */
  readonly over: (record: RecordListItem) => RecordWithEdits | undefined
  /** Values that the list has given a record since this version of it; undefined for none. */
  readonly givenTo: (record: { readonly id: string; readonly version: number }) => ValuesByField | undefined
}

/** Values by field. */
type ValuesByField = { readonly [field: string]: unknown }

/** What was edited in the lists of one collection. */
export type CellEdits = ReturnType<typeof createCellEdits>

/**
 * The edits of a collection, laid over its records when these are drawn: a page that was asked for before an edit and
 * comes after it never shows the old value over the new one.
 */
export function createCellEdits() {
  const core = createCore()
  const { edits, of } = core
  return {
    snapshot: core.snapshot,
    subscribe: core.subscribe,
    ...batchesOf(core),
    ...factsOf(core),
    /** The version of a record after what was stored or read here; undefined where that is nothing. */
    versionOf: (record: string): number | undefined => {
      const { storedVersion, latest } = of(record)
      const version = Math.max(storedVersion, latest?.version ?? 0)
      return version > 0 ? version : undefined
    },
    /** How many cells are on their way to the server, or wait for it. */
    waiting: () => [...edits.values()].reduce((sum, { held }) => sum + Object.keys(held).length, 0),
    over: core.over,
  }
}

type Core = ReturnType<typeof createCore>

function createCore() {
  const edits = new Map<string, RecordEdits>()
  const listeners = new Set<() => void>()
  const laid = new WeakMap<RecordListItem, { readonly of: RecordEdits; readonly over: RecordWithEdits }>()

  const of = (record: string): RecordEdits => edits.get(record) ?? UNTOUCHED
  const change = (record: string, part: Partial<RecordEdits>): void =>
    void edits.set(record, { ...of(record), ...part })
  /** A record of a list with everything laid over it. */
  const over = (record: RecordListItem): RecordWithEdits | undefined => {
    const own = edits.get(record.id)
    if (!own) return undefined
    const known = laid.get(record)
    if (known?.of === own) return known.over
    const made = applyEdits(record, own)
    laid.set(record, { of: own, over: made })
    return made
  }
  const givenTo: EditsSnapshot['givenTo'] = ({ id, version }) => {
    const own = edits.get(id)
    const given = own && pendingValuesOf(own, version)
    return given && Object.keys(given).length > 0 ? given : undefined
  }
  let snapshot: EditsSnapshot = { made: [], over, givenTo }
  return {
    edits,
    of,
    change,
    over,
    snapshot: () => snapshot,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell: (made = snapshot.made) => {
      snapshot = { made, over, givenTo }
      for (const listener of listeners) listener()
    },
    mark: (faults: readonly RecordCellError[], changes: readonly CellChange[] = []) => {
      const cells = new Map(faults.length === 0 ? [] : changes.map((each) => [`${each.record} ${each.field}`, each]))
      for (const { record, field, message } of faults) {
        const wanted = cells.get(`${record} ${field}`)
        const fault: CellError = { message, ...(wanted && { refused: wanted.is }) }
        change(record, { faults: { ...of(record).faults, [field]: fault } })
      }
    },
  }
}

/** What becomes of the changes of one batch. */
function batchesOf({ edits, of, change, mark, tell }: Core) {
  return {
    /** Shows values from now on, before anybody has stored them. */
    begin: (batch: number, changes: readonly CellChange[]) => {
      if (edits.size > MAX_REMEMBERED) prune(edits)
      for (const { record, field, is } of changes) {
        const { held, faults } = of(record)
        const { [field]: _fault, ...others } = faults
        change(record, { held: { ...held, [field]: [...(held[field] ?? []), { batch, is }] }, faults: others })
      }
      tell()
    },
    /** The server has stored a batch, whose records stood at these versions when it was sent. */
    stored: (batch: number, changes: readonly CellChange[], { versions, at }: StoredAt) => {
      for (const [record, cells] of byRecord(changes)) {
        const before = of(record)
        const values = Object.fromEntries(cells.map(({ field, is }) => [field, is]))
        change(record, {
          held: withoutBatch(before.held, batch),
          stored: { ...before.stored, ...values },
          storedVersion: Math.max(versions.get(record) ?? 0, before.storedVersion) + 1,
          storedAt: at,
        })
      }
      tell()
    },
    /** A batch, or cells of it, did not come about: what stood there before is shown again, and why. */
    giveBack: (batch: number, changes: readonly CellChange[], faults: readonly RecordCellError[] = []) => {
      for (const [record, cells] of byRecord(changes)) {
        const fields = new Set(cells.map(({ field }) => field))
        change(record, { held: withoutBatch(of(record).held, batch, fields) })
      }
      mark(faults, changes)
      tell()
    },
  }
}

type StoredAt = { readonly versions: ReadonlyMap<string, number>; readonly at: string }

/** What is known of records besides. */
function factsOf({ edits, change, mark, tell, snapshot }: Core) {
  return {
    /** Records as they are now, read beside the list. */
    learn: (records: readonly RecordListItem[]) => {
      for (const record of records) change(record.id, { latest: record, stored: {}, storedVersion: 0 })
      tell()
    },
    /** What is being written in a record beside the list, before it is stored. */
    draft: (record: string, values: ValuesByField) => {
      const isNothing = Object.keys(values).length === 0
      if (isNothing && (edits.get(record) === undefined || Object.keys(edits.get(record)?.drafted ?? {}).length === 0))
        return
      change(record, { drafted: values })
      tell()
    },
    mark: (faults: readonly RecordCellError[]) => {
      mark(faults)
      tell()
    },
    /** Nothing is wrong any more, or nobody needs to be told any longer. */
    unmark: () => {
      const marked = [...edits].filter(([, { faults }]) => Object.keys(faults).length > 0)
      for (const [record] of marked) change(record, { faults: NO_ERRORS })
      if (marked.length > 0) tell()
    },
    /** Records that were just made and stand below the list until it is read again. */
    addMade: (records: readonly RecordListItem[]) => tell([...snapshot().made, ...records]),
    dropMade: (isDropped: (id: string) => boolean = () => true) => {
      const left = snapshot().made.filter(({ id }) => !isDropped(id))
      if (left.length < snapshot().made.length) tell(left)
    },
  }
}

const userId = (): string | undefined => sessionState.snapshot().user?.id

function applyEdits(record: RecordListItem, own: RecordEdits): RecordWithEdits {
  const { storedVersion, storedAt, latest, faults, drafted } = own
  const base = latest && latest.version > record.version ? latest : record
  const isBehind = base.version < storedVersion
  const given: ValuesByField = { ...pendingValuesOf(own, base.version), ...drafted }
  if (base === record && Object.keys(given).length === 0) return { record, faults }
  const { marks, ...plain } = record
  // Where a search hit in a value says nothing of another one.
  const kept = Object.entries(marks ?? {}).filter(([field]) => base === record && !Object.hasOwn(given, field))
  return {
    record: {
      ...plain,
      ...base,
      // What is stored from here is changed by the signed-in user.
      ...(isBehind && { version: storedVersion, updatedAt: storedAt, updatedBy: userId() ?? base.updatedBy }),
      values: { ...base.values, ...given },
      ...(kept.length > 0 ? { marks: Object.fromEntries(kept) } : { marks: undefined }),
    },
    faults,
  }
}

/** What was written in the list into a record that was read at this version. */
function pendingValuesOf({ held, stored, storedVersion }: RecordEdits, version: number): ValuesByField {
  const waiting = Object.fromEntries(Object.entries(held).map(([field, all]) => [field, all.at(-1)?.is]))
  return { ...(version < storedVersion && stored), ...waiting }
}

/** The values that wait, without those of a batch. */
function withoutBatch(
  held: RecordEdits['held'],
  batch: number,
  fields?: ReadonlySet<string>,
): { readonly [field: string]: readonly PendingValue[] } {
  const left = Object.entries(held).map(([field, all]): [string, readonly PendingValue[]] => {
    const at = all.findIndex((each) => each.batch === batch)
    if (at < 0 || (fields && !fields.has(field))) return [field, all]
    return [field, all.toSpliced(at, 1)]
  })
  return Object.fromEntries(left.filter(([, all]) => all.length > 0))
}

function prune(edits: Map<string, RecordEdits>): void {
  for (const [record, { held, faults, drafted }] of edits)
    if ([held, faults, drafted].every((part) => Object.keys(part).length === 0)) edits.delete(record)
}
