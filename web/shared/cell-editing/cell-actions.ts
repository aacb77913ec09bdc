import { MAX_AT_ONCE } from '#api/bulk.ts'
import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { connectionState, delayAfterTries, pendingChanges } from '#web/data/connection/connection-state.ts'
import { deletedRecords } from '#web/data/queries/record-queries.ts'
import { hasSignedOut, sessionState } from '#web/data/session/session-state.ts'
import { plural, t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { LOCAL_FORMAT } from '#web/shared/formatting/local-format.ts'
import { createRuleChecker } from '#web/shared/validation-rules/rule-checker.ts'
import type { GridFill, GridPaste } from '#web/ui/grid/editing/grid-editing.ts'
import type { Span } from '#web/ui/grid/rows/row-window.ts'
import { type CellBlock, countOf } from '#web/ui/grid/selection/cell-range.ts'
import { type CellContext, type ListContext, loadedRows, ordinalOf, type RecordRow, rowsIn } from './cell-context.ts'
import {
  dismissRejection,
  notifyCellChange,
  notifyNothingToDo,
  notifyRejected,
  notifySkipped,
  notifyTooMany,
  notifyTooManyToCopy,
  notifyTooManyToSelect,
} from './cell-notifications.ts'
import { createListSync, type ListSync } from './list-sync.ts'
import { changeOf, clearing, filling, NOTHING_PLANNED, pasting, type Planned } from './operations/cell-operations.ts'
import { copiesOf, copyOf } from './operations/duplicate-records.ts'
import { addMissingOptions, nameResolver } from './operations/resolve-names.ts'
import { type CellWriter, createCellWriter, type OperationName, type WriterDeps } from './save/cell-writer.ts'
import { countRecords, exceedsRequestLimit, type Operation, readRecords, writeCells } from './save/write-cells.ts'
import { type CellChange, type CellEdits, createCellEdits, type RecordCellError } from './store/cell-edits.ts'
import { ruleErrors, valueError, valueErrors } from './validate-cells.ts'

type RunnerDeps = {
  readonly worldNow: () => CellContext
  readonly writer: CellWriter
  readonly list: ListSync
  readonly show: (fault: RecordCellError) => void
}

type Plan = (lines: readonly RecordRow[]) => Promise<Planned> | Planned

/** Result of changing a record outside the grid. */
export type SavedChange =
  | { readonly is: 'saved'; readonly undo: () => void }
  | { readonly is: 'rejected' | 'unchanged' }

type Again = (collection: TypedCollection) => void

type Rejection = {
  readonly faults: readonly RecordCellError[]
  readonly lines: readonly RecordRow[]
  readonly again: Again | undefined
}

/** Omits rejected changes; a new record is created without its rejected values. */
function withoutFaults(plan: Planned, faults: readonly RecordCellError[]): Planned {
  const rejected = new Set(faults.map(({ record, field }) => `${record} ${field}`))
  const changes = plan.changes.filter(({ record, field }) => !rejected.has(`${record} ${field}`))
  return { ...NOTHING_PLANNED, changes, make: plan.make, leftOut: plan.leftOut }
}

/** Whether missing options are the only errors. */
const isAboutOptions = ({ unknown }: Planned, faults: readonly RecordCellError[]): boolean =>
  faults.every((fault) => unknown.some(({ field }) => field.name === fault.field))

const addText = (names: readonly string[]): string =>
  plural(names.length, 'Add “{slice}” and continue', 'Add {n} options and continue', { slice: names[0]?.slice(0, 40) })

/** Validates planned changes in the browser and passes them to the writer. */
export function createOperationRunner({ worldNow, writer, list, show }: RunnerDeps) {
  const carryOut = (name: OperationName, plan: Planned, lines: readonly RecordRow[], again?: Again): void => {
    dismissRejection()
    const faults = [...plan.faults, ...errorsOf(worldNow(), plan, lines)]
    if (faults.length > 0) return refuse(name, plan, { faults, lines, again })
    const operation: Operation = { changes: plan.changes, make: plan.make, remove: [] }
    if (plan.leftOut > 0) notifySkipped(plan.leftOut, countRecords(operation))
    if (countRecords(operation) === 0) return
    if (exceedsRequestLimit(operation)) return notifyTooMany(name, countRecords(operation))
    list.begin(operation)
    void writer.act(name, operation, new Map(lines.map(({ record }) => [record.id, record.version])))
  }
  const refuse = (name: OperationName, plan: Planned, { faults, lines, again }: Rejection): void => {
    const { edits, collection } = worldNow()
    const markFaults = () => edits.mark(faults.filter(({ record }) => record !== ''))
    edits.unmark()
    markFaults()
    const isOffered =
      again !== undefined && isAboutOptions(plan, faults) && collection.can.includes('collections:manage')
    const rest = withoutFaults(plan, faults)
    const offer = isOffered
      ? {
          label: addText(plan.unknown.flatMap(({ names }) => names)),
          run: () => void addMissingOptions(worldNow, plan.unknown).then(again, (error: unknown) => fail(name, error)),
        }
      : name !== 'edit' &&
        rest.changes.length + rest.make.length > 0 && {
          label: name === 'fill' ? t('Fill the rest') : t('Paste the rest'),
          run: () => {
            carryOut(name, rest, lines)
            markFaults()
          },
        }
    const detail = describeRejection(worldNow(), plan, faults)
    notifyRejected({ name, detail, faults, ...(offer && { offer }) }, show)
  }
  const fail = (name: OperationName, error: unknown): void =>
    notifyRejected({ name, detail: describeError(error).detail, faults: [] }, show)

  return {
    carryOut,
    fail,
    /** Loads any rows that aren't loaded yet. */
    over: async (name: OperationName, { rows, rowCount }: CellBlock, plan: Plan, again?: Again): Promise<void> => {
      if (exceedsRequestLimit({ ...NOTHING_PLANNED, remove: Array.from({ length: rowCount }, () => '') }))
        return notifyTooMany(name, rowCount)
      const carry = async (): Promise<void> => {
        const lines = await rowsIn(worldNow(), rows)
        carryOut(name, await plan(lines), lines, again)
      }
      await carry().then(undefined, (error: unknown) => fail(name, error))
    },
    /** Returns the error if the value is rejected. */
    edit: (line: RecordRow, field: Field, value: unknown): string | undefined => {
      const change = changeOf(line, field, value)
      if (!change) return undefined
      const plan: Planned = { ...NOTHING_PLANNED, changes: [change] }
      const fault = valueError(field, value) ?? ruleErrorsOf(worldNow(), plan, [line])[0]?.message
      if (fault === undefined) carryOut('edit', plan, [line])
      return fault
    },
  }
}

const errorsOf = (world: CellContext, plan: Planned, lines: readonly RecordRow[]): readonly RecordCellError[] => [
  ...valueErrors(world.collection, plan.changes),
  ...ruleErrorsOf(world, plan, lines),
]

function ruleErrorsOf(
  { collection }: CellContext,
  { changes }: Planned,
  lines: readonly RecordRow[],
): readonly RecordCellError[] {
  if (!collection.rules?.length || changes.length === 0) return []
  return ruleErrors(createRuleChecker(collection), changes, lines)
}

function describeRejection(
  { collection }: CellContext,
  { firstFault }: Planned,
  faults: readonly RecordCellError[],
): string {
  const [first] = faults
  const label = collection.fields.find(({ name }) => name === first?.field)?.label
  const said = firstFault ?? (label === undefined ? (first?.message ?? '') : `${label}: ${first?.message}`)
  if (faults.length === 1) return said
  return `${said} ${plural(faults.length - 1, 'One more cell is highlighted.', '{n} more cells are highlighted.')}`
}

export type CellActions = ReturnType<typeof createCellActions>

/** `listNow` returns the current list, for work that continues after the triggering event. */
export function createCellActions(listNow: () => ListContext) {
  const edits = createCellEdits()
  const worldNow = (): CellContext => ({ ...listNow(), edits })
  trackPendingEdits(edits, `cells.${listNow().collection.id}`)
  const list = createListSync(worldNow)
  const show = (fault: RecordCellError) => showCell(worldNow(), fault)
  const writer = writerOf(worldNow, list, show)
  const carrier = createOperationRunner({ worldNow, writer, list, show })
  return {
    edits,
    writer,
    list,
    edit: carrier.edit,
    change: changeRecord({ carrier, writer, list }),
    /**
     * Records a change made outside the list and returns a function that undoes it; changes with the same `together`
     * are undone in one step.
     */
    changedElsewhere: (changes: readonly CellChange[], versions: ReadonlyMap<string, number>, together?: string) => {
      const step = writer.noteChanged(changes, versions, together)
      return async (): Promise<void> => writer.undoStep(step)
    },
    ...cellOperations(worldNow, carrier),
    ...recordOperations(worldNow, { carrier, writer, list }),
    undo: () => {
      dismissRejection()
      if (!writer.undo()) notifyNothingToDo('undo')
    },
    redo: () => {
      dismissRejection()
      if (!writer.redo()) notifyNothingToDo('redo')
    },
  }
}

/** Counts pending edits, warns before the tab is closed, and drops created records once they are deleted. */
function trackPendingEdits(edits: CellEdits, name: string): void {
  edits.subscribe(() => pendingChanges.tell(name, edits.waiting()))
  window.addEventListener('beforeunload', (event) => {
    if (edits.waiting() > 0) event.preventDefault()
  })
  deletedRecords.subscribe((ids) => edits.dropMade((id) => ids.has(id)))
}

type OperationRunner = ReturnType<typeof createOperationRunner>

/** The writer belongs to the user who makes the first edit. */
function writerOf(worldNow: () => CellContext, list: ListSync, show: (fault: RecordCellError) => void): CellWriter {
  const userId = sessionState.get().user?.id
  const owner: WriterDeps['owner'] = () => {
    const session = sessionState.get()
    if (session.user) return session.user.id === userId ? 'here' : 'gone'
    // Signing out discards edits.
    return hasSignedOut(session) ? 'gone' : 'away'
  }
  return createCellWriter(worldNow().edits, {
    fields: () => worldNow().collection.fields,
    write: (operation, versions) =>
      writeCells(worldNow().collection.name, worldNow().collection.fields, operation, versions),
    read: (ids) => readRecords(worldNow().collection.name, ids),
    untilReachable,
    owner,
    untilOwner: () => untilUserReturns(owner),
    tell: (reported) => notifyCellChange(reported, show),
    onStored: list.onStored,
    now: () => new Date().toISOString(),
  })
}

/** Resolves when the user has signed in again, or when that is no longer possible. */
function untilUserReturns(owner: WriterDeps['owner']): Promise<void> {
  return new Promise((resolve) => {
    const checker = () => {
      if (owner() === 'away') return
      stop()
      resolve()
    }
    const stop = sessionState.subscribe(checker)
    checker()
  })
}

function cellOperations(worldNow: () => CellContext, carrier: OperationRunner) {
  const reading = () => ({ find: nameResolver(worldNow().queryClient), format: LOCAL_FORMAT })
  return {
    paste: ({ texts, block, rowsBeyond }: GridPaste, isMaking: boolean) => {
      const newRows = isMaking ? texts.slice(texts.length - rowsBeyond) : []
      const request = { texts, columnIds: block.columnIds, newRows }
      const pasteInto = (collection: TypedCollection): void =>
        void carrier.over('paste', block, (lines) => pasting(collection, { ...request, lines }, reading()), pasteInto)
      pasteInto(worldNow().collection)
    },
    fill: ({ from, to, direction, how }: GridFill) =>
      void carrier.over('fill', to, async (lines) => {
        const given = { lines: await rowsIn(worldNow(), from.rows), columnIds: from.columnIds }
        const cells = { from: given, to: { lines, columnIds: to.columnIds } }
        return filling(worldNow().collection, { direction, how }, cells, reading())
      }),
    clear: (block: CellBlock) =>
      void carrier.over('clear', block, (lines) => clearing(worldNow().collection, lines, block.columnIds)),
    /** Loads rows to copy; undefined if there are too many. */
    linesToCopy: async (rows: readonly Span[]): Promise<readonly RecordRow[] | undefined> => {
      const count = countOf(rows)
      return count > MAX_AT_ONCE ? notifyTooManyToCopy(count) : rowsIn(worldNow(), rows)
    },
    /** Loads rows to select; undefined if there are too many. */
    linesToSelect: async (rows: readonly Span[]): Promise<readonly RecordRow[] | undefined> => {
      const count = countOf(rows)
      return count > MAX_AT_ONCE ? notifyTooManyToSelect(count) : rowsIn(worldNow(), rows)
    },
    loadedLines: (rows: readonly Span[]) => loadedRows(worldNow(), rows),
  }
}

/** Changes fields of a record in one step, and resolves when they are saved or rejected. */
const changeRecord =
  ({ carrier, writer, list }: CreateDeps) =>
  async (line: RecordRow, values: readonly (readonly [Field, unknown])[]): Promise<SavedChange> => {
    const changes = values.flatMap(([field, value]) => changeOf(line, field, value) ?? [])
    if (changes.length === 0) return { is: 'unchanged' }
    const before = writer.lastStep()
    carrier.carryOut('edit', { ...NOTHING_PLANNED, changes }, [line])
    const step = writer.lastStep()
    if (step === undefined || step === before) return { is: 'rejected' }
    await writer.settled()
    list.leave()
    return writer.hasStep(step) ? { is: 'saved', undo: () => void writer.undoStep(step) } : { is: 'rejected' }
  }

type CreateDeps = { readonly carrier: OperationRunner; readonly writer: CellWriter; readonly list: ListSync }

function recordOperations(worldNow: () => CellContext, { carrier, writer, list }: CreateDeps) {
  return {
    /** Copies are shown below the list until it is refreshed. */
    duplicate: (lines: readonly RecordRow[]): Promise<void> =>
      copiesOf(worldNow().collection, lines).then(
        (make) => carrier.carryOut('duplicate', { ...NOTHING_PLANNED, make }, lines),
        (error: unknown) => carrier.fail('duplicate', error),
      ),
    /** Shows a record created elsewhere at the end of the list and opens its title for editing. */
    made: (record: RecordBody) => {
      writer.noteMade([{ id: record.id, values: copyOf(worldNow().collection, record.values) }])
      void list.showMade([record.id], true)
    },
  }
}

function showCell(world: CellContext, { record, field }: RecordCellError): void {
  const ordinal = ordinalOf(world, record)
  const column = world.collection.fields.find(({ name }) => name === field)?.id
  if (ordinal !== undefined) world.grid()?.goTo(ordinal, column)
}

/** Resolves when the server is reachable or the next retry is due. */
function untilReachable(tries: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(go, delayAfterTries(tries))
    const stop = connectionState.reachable.subscribe(() => connectionState.reachable.get() && go())
  })
}
