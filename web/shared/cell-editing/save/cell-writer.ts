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

/** What a writer needs to wait for whoever is away. */
type WaitDeps = {
  /** Settles when it makes sense to try again, after so many tries in vain. */
  readonly untilReachable: (tries: number) => Promise<void>
  /** Whether whoever edits is signed in; `away`: their session ended by itself, and they may come back. */
  readonly owner: () => 'here' | 'away' | 'gone'
  /** Settles when they are no longer away. */
  readonly untilOwner: () => Promise<void>
}

/** What is told of it. */
type WaitNotification = { readonly is: 'waiting'; readonly for: 'server' | 'sign-in' }

type WaitContext = WaitDeps & { readonly tell: (told: WaitNotification) => void }

/** What was edited waits where the session ended by itself, until the same person is back; answers how often it waited. */
async function waitForOwner({ owner, tell, untilOwner }: WaitContext): Promise<number> {
  if (owner() !== 'away') return 0
  tell({ is: 'waiting', for: 'sign-in' })
  await untilOwner()
  return 1
}

/** Waits until it makes sense to try again; for whoever is away the next round waits. */
async function waitToSend({ owner, tell, untilReachable }: WaitContext, tries: number): Promise<void> {
  if (owner() !== 'here') return
  if (tries === 0) tell({ is: 'waiting', for: 'server' })
  await untilReachable(tries)
}

/** What cannot be taken back or done again any more. */
const GONE = t('Your earlier edits weren’t saved.')

/** Tried often enough: others were quicker each time. */
const TOO_MANY_CONFLICTS = {
  title: t('Someone else keeps editing these records'),
  detail: t('Nothing was saved. Try again in a moment.'),
}

/** The connection went while new records were being made. */
const OUTCOME_UNKNOWN = {
  title: t('Can’t reach the server'),
  detail: t('The new records may or may not have been created. Check the list when the connection is back.'),
}

/** What a person did, for the words in which its end is told. */
export type OperationName = 'edit' | 'paste' | 'fill' | 'clear' | 'make' | 'duplicate' | 'undo' | 'redo'

/** What the writer tells while it works. */
export type WriterNotification =
  | WaitNotification
  /** What had to wait is stored. */
  | { readonly is: 'back' }
  | { readonly is: 'done'; readonly name: OperationName; readonly deed: Operation; readonly left: number }
  | {
      readonly is: 'refused'
      readonly name: OperationName
      readonly title: string
      readonly detail: string
      readonly faults: readonly RecordCellError[]
    }

/** What the writer needs from around it. */
export type WriterDeps = WaitDeps & {
  readonly fields: () => readonly Field[]
  readonly write: (deed: Operation, versions: ReadonlyMap<string, number>) => Promise<WriteResult>
  readonly read: (ids: readonly string[]) => Promise<readonly RecordListItem[]>
  readonly tell: (told: WriterNotification) => void
  readonly onStored: (deed: Operation, created: readonly string[]) => void
  readonly now: () => string
}

type Versions = ReadonlyMap<string, number>

type Batch = {
  readonly id: number
  readonly name: OperationName
  readonly deed: Operation
  /** Placeholders, or former ids, of the records it makes. */
  readonly makes: readonly string[]
  /** The step of the history that it does, undoes or does again. */
  readonly step: number
  readonly versions: Versions
}

/** Writes what is edited in the lists of a collection. */
export type CellWriter = ReturnType<typeof createCellWriter>

const NO_VERSIONS: Versions = new Map()

/**
 * Shows edits at once and stores them one after the other, each whole or not at all; what is refused is taken back. Keeps
 * what was done, to undo it: only where a cell still holds what was written there.
 */
export function createCellWriter(edits: CellEdits, needs: WriterDeps) {
  let history: EditHistory = NO_HISTORY
  let lastId = 0
  let queue: Promise<void> = Promise.resolve()
  const names = placeholderIds()
  const setHistory = (next: EditHistory): void => {
    history = next
  }

  const enqueue = (batch: Batch): Promise<void> => {
    edits.begin(batch.id, batch.deed.changes)
    const run = createRun({ edits, needs, batch, names, setHistory, getHistory: () => history })
    queue = queue.then(run)
    return queue
  }
  const again = (name: 'undo' | 'redo', step: EditStep, moved: EditHistory): Promise<void> => {
    history = moved
    edits.unmark()
    const deed = name === 'undo' ? undoOperation(step) : redoOperation(step)
    const makes = deed.make.map(({ id }) => id)
    return enqueue({ id: (lastId += 1), name, deed, makes, step: step.id, versions: NO_VERSIONS })
  }

  return {
    /** Does something. `versions`: what the changed records were when the person saw them. */
    act: (name: OperationName, deed: Operation, versions: Versions): Promise<void> => {
      const id = (lastId += 1)
      edits.unmark()
      const coming = deed.make.map(({ values }, at) => ({ id: `made ${id} ${at}`, values }))
      history = withStep(history, { id, changes: deed.changes, made: coming })
      return enqueue({ id, name, deed, makes: coming.map((each) => each.id), step: id, versions })
    },
    /** Undoes the last step; false where there is none. */
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
    /** Undoes one step, also when others came since; false where it is undone already, or forgotten. */
    undoStep: (id: number): Promise<void> | undefined => {
      const step = history.done.find((each) => each.id === id)
      return step && again('undo', step, afterUndo(history, id))
    },
    /** Cells were changed elsewhere, in records of these versions; answers the step that undoes it. */
    noteChanged: (changes: EditStep['changes'], versions: Versions, together?: string): number => {
      edits.stored((lastId += 1), changes, { versions, at: needs.now() })
      const isSame = (name: string, one: unknown, other: unknown): boolean =>
        needs.fields().some((field) => field.name === name && sameShown(field, one, other))
      history = withMergedStep(history, { id: lastId, changes, made: [], together }, isSame)
      return history.done.at(-1)?.id ?? lastId
    },
    /** Records were made elsewhere; undoing it removes them. */
    noteMade: (records: EditStep['made']) => {
      history = withStep(history, { id: (lastId += 1), changes: [], made: records })
    },
    /** Settles when nothing is on its way. */
    settled: () => queue,
  }
}

/** What records are called that had names before they were made, or are made once more. */
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
  readonly needs: WriterDeps
  readonly batch: Batch
  readonly names: ReturnType<typeof placeholderIds>
  readonly getHistory: () => EditHistory
  readonly setHistory: (history: EditHistory) => void
}

/** More rounds than this against somebody who writes all the time are in vain. */
const MAX_ROUNDS = 5

type Round = { readonly deed: Operation; readonly versions: Versions; readonly left: number }

/** Sends a batch until it is stored, or refused. It never throws: what cannot be told goes on with the next batch. */
function createRun(run: Run): () => Promise<void> {
  const { needs, batch, edits, names } = run
  return async () => {
    const start = versionsOf(run)
    // What is undone may have been on its way to be made when it was.
    const deed = { ...batch.deed, remove: batch.deed.remove.map(names.now) }
    let round: Round | undefined = { deed, versions: start ?? NO_VERSIONS, left: 0 }
    if (start === undefined) round = await rereadRecords(run, round)
    let [tries, rounds, waits] = [0, 0, 0]
    while (round) {
      waits += await waitForOwner(needs)
      if (needs.owner() === 'gone') return reject(run, round, DIFFERENT_USER)
      const written: WriteResult =
        countRecords(round.deed) === 0 ? NOTHING_TO_DO : await needs.write(round.deed, round.versions)
      if (written.is === 'done') return finish(run, round, { created: written.created, hadToWait: waits + tries > 0 })
      if (written.is === 'refused') return reject(run, round, written)
      if (written.is === 'overtaken') {
        rounds += 1
        if (rounds > MAX_ROUNDS) return reject(run, round, TOO_MANY_CONFLICTS)
        round = await rereadRecords(run, round)
        continue
      }
      // Nobody knows whether records were made before the line broke; made twice is worse than not made.
      if (isOutcomeUnknown(written, round.deed)) return reject(run, round, OUTCOME_UNKNOWN)
      await waitToSend(needs, tries)
      tries += 1
    }
    edits.giveBack(batch.id, batch.deed.changes)
  }
}

const DIFFERENT_USER = { title: t('Someone else is signed in'), detail: GONE }

const isOutcomeUnknown = ({ is }: WriteResult, { make }: Operation): boolean => is === 'unreachable' && make.length > 0

const NOTHING_TO_DO: WriteResult = { is: 'done', created: [] }

/** What the records are now, as far as it is known here; undefined where some must be looked at first. */
function versionsOf({ batch, edits }: Run): Versions | undefined {
  const versions = new Map<string, number>()
  for (const record of byRecord(batch.deed.changes).keys()) {
    const version = Math.max(edits.versionOf(record) ?? 0, batch.versions.get(record) ?? 0)
    if (version === 0) return undefined
    versions.set(record, version)
  }
  return versions
}

/** Looks at the records as they are now, and goes on with what may still be changed; undefined when it was ended. */
async function rereadRecords(run: Run, round: Round): Promise<Round | undefined> {
  const { needs, edits, batch } = run
  const { changes, remove } = round.deed
  const ids = [...byRecord(changes).keys()]
  const found = await needs.read([...ids, ...remove]).then(
    (records) => records,
    () => undefined,
  )
  if (!found) {
    reject(run, round, { title: t('Couldn’t save'), detail: t('Couldn’t load the records. Try again.') })
    return undefined
  }
  const { free, already, disputed, gone } = compareRecords(needs.fields(), changes, found)
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
    deed: { ...round.deed, changes: free, remove: remove.filter((id) => isThere.has(id)) },
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
  { edits, needs, batch, names, getHistory, setHistory }: Run,
  round: Round,
  { created, hadToWait }: End,
): void {
  const { deed, versions, left } = round
  edits.stored(batch.id, deed.changes, { versions, at: needs.now() })
  edits.dropMade((id) => deed.remove.includes(id))
  const ids = new Map(created.map((id, at) => [names.now(batch.makes[at] ?? ''), id]))
  names.add(ids)
  const renamed = ids.size > 0 ? withIds(getHistory(), ids) : getHistory()
  const cells = new Set(deed.changes.map(keyOf))
  setHistory(left > 0 ? withOnly(renamed, batch.step, (change) => cells.has(keyOf(change))) : renamed)
  needs.onStored(deed, created)
  if (hadToWait) needs.tell({ is: 'back' })
  needs.tell({ is: 'done', name: batch.name, deed, left })
}

const keyOf = ({ record, field }: CellChange): string => `${record} ${field}`

type Rejection = { readonly title: string; readonly detail: string; readonly faults?: readonly RecordCellError[] }

/** Takes a batch back, and its step with it. */
function reject({ edits, needs, batch, getHistory, setHistory }: Run, _round: Round, refusal: Rejection): void {
  const { title, detail, faults = [] } = refusal
  edits.giveBack(batch.id, batch.deed.changes, faults)
  setHistory(historyAfterRejection(getHistory(), batch))
  needs.tell({ is: 'refused', name: batch.name, title, detail, faults })
}

/** What could not be undone is still done, and the other way round. */
function historyAfterRejection(history: EditHistory, { name, step }: Batch): EditHistory {
  if (name === 'undo') return history.undone.at(-1)?.id === step ? afterRedo(history) : history
  if (name === 'redo') return history.done.at(-1)?.id === step ? afterUndo(history) : history
  return withoutStep(history, step)
}
