import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'
import {
  byRecord,
  type CellChange,
  type CellEdits,
  type RecordCellError,
  sameShown,
} from '#web/shared/cell-editing/store/cell-edits.ts'
import {
  afterRedo,
  afterUndo,
  type EditHistory,
  type EditStep,
  NO_HISTORY,
  redoOperation,
  undoOperation,
  withIds,
  withMergedStep,
  withOnly,
  withoutStep,
  withStep,
} from '#web/shared/cell-editing/store/edit-history.ts'
import { compareRecords, countRecords, type Operation, type WriteResult } from './write-cells.ts'

type WaitDeps = {
  /** Resolves when the next retry is due. */
  readonly untilReachable: (tries: number) => Promise<void>
  /** `away`: the session ended, but the user may sign in again. */
  readonly owner: () => 'here' | 'away' | 'gone'
  /** Resolves when `owner` is no longer `away`. */
  readonly untilOwner: () => Promise<void>
}

type WaitNotification = { readonly is: 'waiting'; readonly for: 'server' | 'sign-in' }

type WaitContext = WaitDeps & { readonly tell: (reported: WaitNotification) => void }

/** If the user is signed out, waits until they sign in again. Returns the number of waits (0 or 1). */
async function waitForOwner({ owner, tell, untilOwner }: WaitContext): Promise<number> {
  if (owner() !== 'away') return 0
  tell({ is: 'waiting', for: 'sign-in' })
  await untilOwner()
  return 1
}

/** If the user is signed out, returns immediately, because the next round waits for the sign-in. */
async function waitToSend({ owner, tell, untilReachable }: WaitContext, tries: number): Promise<void> {
  if (owner() !== 'here') return
  if (tries === 0) tell({ is: 'waiting', for: 'server' })
  await untilReachable(tries)
}

const GONE = t('Your earlier edits weren’t saved.')

const TOO_MANY_CONFLICTS = {
  title: t('Someone else keeps editing these records'),
  detail: t('Nothing was saved. Try again in a moment.'),
}

const OUTCOME_UNKNOWN = {
  title: t('Can’t reach the server'),
  detail: t('The new records may or may not have been created. Check the list when the connection is back.'),
}

export type OperationName = 'edit' | 'paste' | 'fill' | 'clear' | 'make' | 'duplicate' | 'undo' | 'redo'

export type WriterNotification =
  | WaitNotification
  /** Saving has resumed. */
  | { readonly is: 'back' }
  | { readonly is: 'done'; readonly name: OperationName; readonly operation: Operation; readonly left: number }
  | {
      readonly is: 'refused'
      readonly name: OperationName
      readonly title: string
      readonly detail: string
      readonly faults: readonly RecordCellError[]
    }

export type WriterDeps = WaitDeps & {
  readonly fields: () => readonly Field[]
  readonly write: (operation: Operation, versions: ReadonlyMap<string, number>) => Promise<WriteResult>
  readonly read: (ids: readonly string[]) => Promise<readonly RecordListItem[]>
  readonly tell: (reported: WriterNotification) => void
  readonly onStored: (operation: Operation, created: readonly string[]) => void
  readonly now: () => string
}

type Versions = ReadonlyMap<string, number>

type Batch = {
  readonly id: number
  readonly name: OperationName
  readonly operation: Operation
  /** Placeholder ids or previous ids of the created records. */
  readonly makes: readonly string[]
  /** The history step that was applied, undone or redone. */
  readonly step: number
  readonly versions: Versions
}

export type CellWriter = ReturnType<typeof createCellWriter>

const NO_VERSIONS: Versions = new Map()

/** Shows edits immediately and saves them in order, each atomically; rejected edits are reverted. */
export function createCellWriter(edits: CellEdits, deps: WriterDeps) {
  let history: EditHistory = NO_HISTORY
  let lastId = 0
  let queue: Promise<void> = Promise.resolve()
  const names = placeholderIds()
  const setHistory = (next: EditHistory): void => {
    history = next
  }

  const enqueue = (batch: Batch): Promise<void> => {
    edits.begin(batch.id, batch.operation.changes)
    const run = createRun({ edits, deps, batch, names, setHistory, getHistory: () => history })
    queue = queue.then(run)
    return queue
  }
  const again = (name: 'undo' | 'redo', step: EditStep, moved: EditHistory): Promise<void> => {
    history = moved
    edits.unmark()
    const operation = name === 'undo' ? undoOperation(step) : redoOperation(step)
    const makes = operation.make.map(({ id }) => id)
    return enqueue({ id: (lastId += 1), name, operation, makes, step: step.id, versions: NO_VERSIONS })
  }

  return {
    /** `versions`: the record versions that the user saw. */
    act: (name: OperationName, operation: Operation, versions: Versions): Promise<void> => {
      const id = (lastId += 1)
      edits.unmark()
      const coming = operation.make.map(({ values }, at) => ({ id: `made ${id} ${at}`, values }))
      history = withStep(history, { id, changes: operation.changes, made: coming })
      return enqueue({ id, name, operation, makes: coming.map((each) => each.id), step: id, versions })
    },
    /** False if there is nothing to undo. */
    undo: (): boolean => {
      const step = history.done.at(-1)
      if (step) void again('undo', step, afterUndo(history))
      return step !== undefined
    },
    redo: (): boolean => {
      const step = history.undone.at(-1)
      if (step) void again('redo', step, afterRedo(history))
      return step !== undefined
    },
    /** Undoes a step even if later steps exist; undefined if it was already undone or dropped. */
    undoStep: (id: number): Promise<void> | undefined => {
      const step = history.done.find((each) => each.id === id)
      return step && again('undo', step, afterUndo(history, id))
    },
    /** Adds an undo step for a change saved outside this writer; returns the step's ID. */
    noteChanged: (changes: EditStep['changes'], versions: Versions, together?: string): number => {
      edits.stored((lastId += 1), changes, { versions, at: deps.now() })
      const isSame = (name: string, one: unknown, other: unknown): boolean =>
        deps.fields().some((field) => field.name === name && sameShown(field, one, other))
      history = withMergedStep(history, { id: lastId, changes, made: [], together }, isSame)
      return history.done.at(-1)?.id ?? lastId
    },
    /** Adds an undo step for records created outside this writer; undoing it deletes them. */
    noteMade: (records: EditStep['made']) => {
      history = withStep(history, { id: (lastId += 1), changes: [], made: records })
    },
    /** The latest step that can be undone. */
    lastStep: (): number | undefined => history.done.at(-1)?.id,
    hasStep: (id: number): boolean => history.done.some((step) => step.id === id),
    settled: () => queue,
  }
}

/** Maps placeholders and previous ids to current ids. */
function placeholderIds() {
  const later = new Map<string, string>()
  const now = (id: string): string => {
    const next = later.get(id)
    return next === undefined ? id : now(next)
  }
  return { now, add: (ids: ReadonlyMap<string, string>) => ids.forEach((id, before) => later.set(before, id)) }
}

type Run = {
  readonly edits: CellEdits
  readonly deps: WriterDeps
  readonly batch: Batch
  readonly names: ReturnType<typeof placeholderIds>
  readonly getHistory: () => EditHistory
  readonly setHistory: (history: EditHistory) => void
}

/** Gives up after this many conflicts, when someone else keeps changing the same records. */
const MAX_ROUNDS = 5

type Round = { readonly operation: Operation; readonly versions: Versions; readonly left: number }

/** Sends a batch until it is saved or rejected; never throws. */
function createRun(run: Run): () => Promise<void> {
  const { deps, batch, edits, names } = run
  return async () => {
    const start = versionsOf(run)
    // A record to delete may have received a new ID since the batch was created.
    const operation = { ...batch.operation, remove: batch.operation.remove.map(names.now) }
    let round: Round | undefined = { operation, versions: start ?? NO_VERSIONS, left: 0 }
    if (start === undefined) round = await rereadRecords(run, round)
    let [tries, rounds, waits] = [0, 0, 0]
    while (round) {
      waits += await waitForOwner(deps)
      if (deps.owner() === 'gone') return reject(run, round, DIFFERENT_USER)
      const written: WriteResult =
        countRecords(round.operation) === 0 ? NOTHING_TO_DO : await deps.write(round.operation, round.versions)
      if (written.is === 'done') return finish(run, round, { created: written.created, hadToWait: waits + tries > 0 })
      if (written.is === 'refused') return reject(run, round, written)
      if (written.is === 'overtaken') {
        rounds += 1
        if (rounds > MAX_ROUNDS) return reject(run, round, TOO_MANY_CONFLICTS)
        round = await rereadRecords(run, round)
        continue
      }
      // The records may already have been created, and duplicates would be worse than a failure.
      if (isOutcomeUnknown(written, round.operation)) return reject(run, round, OUTCOME_UNKNOWN)
      await waitToSend(deps, tries)
      tries += 1
    }
    edits.giveBack(batch.id, batch.operation.changes)
  }
}

const DIFFERENT_USER = { title: t('Someone else is signed in'), detail: GONE }

const isOutcomeUnknown = ({ is }: WriteResult, { make }: Operation): boolean => is === 'unreachable' && make.length > 0

const NOTHING_TO_DO: WriteResult = { is: 'done', created: [] }

/** Known record versions; undefined if some must be loaded first. */
function versionsOf({ batch, edits }: Run): Versions | undefined {
  const versions = new Map<string, number>()
  for (const record of byRecord(batch.operation.changes).keys()) {
    const version = Math.max(edits.versionOf(record) ?? 0, batch.versions.get(record) ?? 0)
    if (version === 0) return undefined
    versions.set(record, version)
  }
  return versions
}

/** Reloads the records and continues with those that can still be changed; undefined if the operation is finished. */
async function rereadRecords(run: Run, round: Round): Promise<Round | undefined> {
  const { deps, edits, batch } = run
  const { changes, remove } = round.operation
  const ids = [...byRecord(changes).keys()]
  const found = await deps.read([...ids, ...remove]).then(
    (records) => records,
    () => undefined,
  )
  if (!found) {
    reject(run, round, { title: t('Couldn’t save'), detail: t('Couldn’t load the records. Try again.') })
    return undefined
  }
  const { free, already, disputed, gone } = compareRecords(deps.fields(), changes, found)
  edits.learn(found.filter(({ id }) => ids.includes(id)))
  const lost = [...disputed, ...gone]
  const isAgain = batch.name === 'undo' || batch.name === 'redo'
  if (lost.length > 0 && !isAgain) {
    reject(run, round, { ...CONFLICT, faults: lost.map((change) => conflictError(change, gone.includes(change))) })
    return undefined
  }
  edits.giveBack(batch.id, [...already, ...lost])
  const isThere = new Set(found.map(({ id }) => id))
  return {
    operation: { ...round.operation, changes: free, remove: remove.filter((id) => isThere.has(id)) },
    versions: new Map(found.map(({ id, version }) => [id, version])),
    left: round.left + lost.length,
  }
}

const CONFLICT = {
  title: t('Someone else edited this record'),
  detail: t('Some cells changed in the meantime and now show the new values. Your edits to them weren’t saved.'),
}

const conflictError = ({ record, field }: CellChange, isGone: boolean): RecordCellError => ({
  record,
  field,
  message: isGone
    ? t('This record no longer exists.')
    : t('Someone else edited this in the meantime. Your value wasn’t saved.'),
})

type End = { readonly created: readonly string[]; readonly hadToWait: boolean }

function finish(
  { edits, deps, batch, names, getHistory, setHistory }: Run,
  round: Round,
  { created, hadToWait }: End,
): void {
  const { operation, versions, left } = round
  edits.stored(batch.id, operation.changes, { versions, at: deps.now() })
  edits.dropMade((id) => operation.remove.includes(id))
  const ids = new Map(created.map((id, at) => [names.now(batch.makes[at] ?? ''), id]))
  names.add(ids)
  const renamed = ids.size > 0 ? withIds(getHistory(), ids) : getHistory()
  const cells = new Set(operation.changes.map(keyOf))
  setHistory(left > 0 ? withOnly(renamed, batch.step, (change) => cells.has(keyOf(change))) : renamed)
  deps.onStored(operation, created)
  if (hadToWait) deps.tell({ is: 'back' })
  deps.tell({ is: 'done', name: batch.name, operation, left })
}

const keyOf = ({ record, field }: CellChange): string => `${record} ${field}`

type Rejection = { readonly title: string; readonly detail: string; readonly faults?: readonly RecordCellError[] }

/** Reverts a batch and its history step. */
function reject({ edits, deps, batch, getHistory, setHistory }: Run, _round: Round, refusal: Rejection): void {
  const { title, detail, faults = [] } = refusal
  edits.giveBack(batch.id, batch.operation.changes, faults)
  setHistory(historyAfterRejection(getHistory(), batch))
  deps.tell({ is: 'refused', name: batch.name, title, detail, faults })
}

/** A failed undo leaves the step done; a failed redo leaves it undone. */
function historyAfterRejection(history: EditHistory, { name, step }: Batch): EditHistory {
  if (name === 'undo') return history.undone.at(-1)?.id === step ? afterRedo(history) : history
  if (name === 'redo') return history.done.at(-1)?.id === step ? afterUndo(history) : history
  return withoutStep(history, step)
}
