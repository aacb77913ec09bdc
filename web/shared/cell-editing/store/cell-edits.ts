import type { Field } from '#domain/fields/field.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'
import { toWireValue } from '#web/shared/fields/client-value.ts'
import { createStore } from '#web/ui/store.ts'
import type { RecordListItem } from '#api/records.ts'
import { sessionState } from '#web/data/session/session-state.ts'

/** Values before and after the change, in client form. */
export type CellChange = {
  readonly record: string
  readonly field: string
  readonly was: unknown
  readonly is: unknown
}

/** Record values are always JSON, but typed as `unknown`. */
const asJson = (value: unknown): Json => (value ?? null) as Json

/** Compares linked records, people and files by id. */
export function sameShown(field: Field, left: unknown, right: unknown): boolean {
  return sameJson(asJson(toWireValue(field, left)), asJson(toWireValue(field, right)))
}

export const reversed = (changes: readonly CellChange[]): readonly CellChange[] =>
  changes.map(({ record, field, was, is }) => ({ record, field, was: is, is: was }))

export const byRecord = (changes: readonly CellChange[]): ReadonlyMap<string, readonly CellChange[]> =>
  Map.groupBy(changes, ({ record }) => record)

/** An edit not yet confirmed by the server. */
type PendingValue = { readonly batch: number; readonly is: unknown }

type RecordEdits = {
  /** Pending values by field, oldest first; the last one is shown. */
  readonly held: { readonly [field: string]: readonly PendingValue[] }
  /** Values saved since the list was loaded. */
  readonly stored: { readonly [field: string]: unknown }
  /** The version after the last save; 0 if nothing has been saved yet. */
  readonly storedVersion: number
  readonly storedAt: string
  /** The record as last loaded elsewhere; shown instead of the list's copy if its version is newer. */
  readonly latest: RecordListItem | undefined
  /** Unsaved values from the side panel. */
  readonly drafted: { readonly [field: string]: unknown }
  readonly faults: CellErrors
}

/** Keeps the rejected value, so that the user's input isn't lost. */
type CellError = { readonly message: string; readonly refused?: unknown }

export type CellErrors = { readonly [field: string]: CellError }

type RecordWithEdits = { readonly record: RecordListItem; readonly faults: CellErrors }

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

/** Maximum number of saved records to keep; lists have been refreshed by the time it is exceeded. */
const MAX_REMEMBERED = 20_000

/** A new object after every change. */
export type EditsSnapshot = {
  /** New records, shown below the list until it is refreshed. */
  readonly made: readonly RecordListItem[]
  /** The record with all edits applied; undefined if it has none. Returns the same object until something changes. */
  readonly over: (record: RecordListItem) => RecordWithEdits | undefined
  /** Values set in the list since this version of the record; undefined if there are none. */
  readonly givenTo: (record: { readonly id: string; readonly version: number }) => ValuesByField | undefined
}

type ValuesByField = { readonly [field: string]: unknown }

export type CellEdits = ReturnType<typeof createCellEdits>

/** Edits are applied during rendering, so that outdated data never overwrites them. */
export function createCellEdits() {
  const core = createCore()
  const { edits, of } = core
  return {
    get: core.snapshot.get,
    subscribe: core.snapshot.subscribe,
    ...batchesOf(core),
    ...factsOf(core),
    /** Undefined if no version is known. */
    versionOf: (record: string): number | undefined => {
      const { storedVersion, latest } = of(record)
      const version = Math.max(storedVersion, latest?.version ?? 0)
      return version > 0 ? version : undefined
    },
    /** Number of cells whose values aren't saved yet. */
    waiting: () => [...edits.values()].reduce((sum, { held }) => sum + Object.keys(held).length, 0),
    over: core.over,
  }
}

type Core = ReturnType<typeof createCore>

function createCore() {
  const edits = new Map<string, RecordEdits>()
  const laid = new WeakMap<RecordListItem, { readonly of: RecordEdits; readonly over: RecordWithEdits }>()

  const of = (record: string): RecordEdits => edits.get(record) ?? UNTOUCHED
  const change = (record: string, part: Partial<RecordEdits>): void =>
    void edits.set(record, { ...of(record), ...part })
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
  const snapshot = createStore<EditsSnapshot>({ made: [], over, givenTo })
  return {
    edits,
    of,
    change,
    over,
    snapshot,
    tell: (made = snapshot.get().made) => snapshot.set({ made, over, givenTo }),
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

function batchesOf({ edits, of, change, mark, tell }: Core) {
  return {
    /** Shows the new values before they are saved. */
    begin: (batch: number, changes: readonly CellChange[]) => {
      if (edits.size > MAX_REMEMBERED) prune(edits)
      for (const { record, field, is } of changes) {
        const { held, faults } = of(record)
        const { [field]: _fault, ...others } = faults
        change(record, { held: { ...held, [field]: [...(held[field] ?? []), { batch, is }] }, faults: others })
      }
      tell()
    },
    /** Marks a batch as saved; `versions` are the versions sent with it. */
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
    /** Reverts a batch's cells and shows the reason. */
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

function factsOf({ edits, change, mark, tell, snapshot }: Core) {
  return {
    /** Updates edited records with data loaded elsewhere. */
    learn: (records: readonly RecordListItem[]) => {
      for (const record of records) change(record.id, { latest: record, stored: {}, storedVersion: 0 })
      tell()
    },
    /** Sets the side panel's unsaved values for a record. */
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
    unmark: () => {
      const marked = [...edits].filter(([, { faults }]) => Object.keys(faults).length > 0)
      for (const [record] of marked) change(record, { faults: NO_ERRORS })
      if (marked.length > 0) tell()
    },
    addMade: (records: readonly RecordListItem[]) => tell([...snapshot.get().made, ...records]),
    dropMade: (isDropped: (id: string) => boolean = () => true) => {
      const left = snapshot.get().made.filter(({ id }) => !isDropped(id))
      if (left.length < snapshot.get().made.length) tell(left)
    },
  }
}

const userId = (): string | undefined => sessionState.get().user?.id

function applyEdits(record: RecordListItem, own: RecordEdits): RecordWithEdits {
  const { storedVersion, storedAt, latest, faults, drafted } = own
  const base = latest && latest.version > record.version ? latest : record
  const isBehind = base.version < storedVersion
  const given: ValuesByField = { ...pendingValuesOf(own, base.version), ...drafted }
  if (base === record && Object.keys(given).length === 0) return { record, faults }
  const { marks, ...plain } = record
  // Search highlights don't apply to changed values.
  const kept = Object.entries(marks ?? {}).filter(([field]) => base === record && !Object.hasOwn(given, field))
  return {
    record: {
      ...plain,
      ...base,
      // The last change was made by the signed-in user.
      ...(isBehind && { version: storedVersion, updatedAt: storedAt, updatedBy: userId() ?? base.updatedBy }),
      values: { ...base.values, ...given },
      ...(kept.length > 0 ? { marks: Object.fromEntries(kept) } : { marks: undefined }),
    },
    faults,
  }
}

function pendingValuesOf({ held, stored, storedVersion }: RecordEdits, version: number): ValuesByField {
  const waiting = Object.fromEntries(Object.entries(held).map(([field, all]) => [field, all.at(-1)?.is]))
  return { ...(version < storedVersion && stored), ...waiting }
}

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
