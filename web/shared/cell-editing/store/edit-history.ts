import type { CellChange } from './cell-edits.ts'
import { reversed } from './cell-edits.ts'

/** A record that a step made, and what it began with. */
export type CreatedRecord = { readonly id: string; readonly values: { readonly [field: string]: unknown } }

/** One thing a person did: cells that changed, records that were made. It is undone as a whole. */
export type EditStep = {
  readonly id: number
  readonly changes: readonly CellChange[]
  readonly made: readonly CreatedRecord[]
  /** Names what a person did in one go and what comes bit by bit, as files of one drop do. */
  readonly together?: string | undefined
}

/** What was done and can be undone, and what was undone and can be done again; the latest stands last in both. */
export type EditHistory = { readonly done: readonly EditStep[]; readonly undone: readonly EditStep[] }

/** Nothing was done yet. */
export const NO_HISTORY: EditHistory = { done: [], undone: [] }

/** As many steps as are kept; who wants to go back further has forgotten what it was. */
export const MAX_STEPS = 200

/** Something was done: what had been undone is gone for good. */
export const withStep = ({ done }: EditHistory, step: EditStep): EditHistory => ({
  done: [...done, step].slice(-MAX_STEPS),
  undone: [],
})

/**
 * More of what was done last has come: it goes into the same step, where each cell goes on from what it held after that one.
 * Anything else is a step of its own.
 */
export function withMergedStep(history: EditHistory, step: EditStep, isSame: SameValue): EditHistory {
  const last = history.done.at(-1)
  const changes = step.together !== undefined && last?.together === step.together ? join(last, step, isSame) : undefined
  if (!last || !changes) return withStep(history, step)
  return { done: [...history.done.slice(0, -1), { ...last, changes }], undone: [] }
}

/** Whether two values of a field are the same. */
type SameValue = (field: string, one: unknown, other: unknown) => boolean

/** The changes of two steps in the same cells as one; undefined where somebody else came between. */
function join(first: EditStep, next: EditStep, isSame: SameValue): readonly CellChange[] | undefined {
  const after = new Map(next.changes.map((change) => [keyOf(change), change]))
  const joined = first.changes.flatMap((change) => {
    const more = after.get(keyOf(change))
    return more && isSame(change.field, change.is, more.was) ? [{ ...change, is: more.is }] : []
  })
  return joined.length === first.changes.length && joined.length === after.size ? joined : undefined
}

/** A step, the last where none is named, is on the other side now. */
export function afterUndo({ done, undone }: EditHistory, id = done.at(-1)?.id): EditHistory {
  const step = done.find((each) => each.id === id)
  return step ? { done: done.filter((each) => each !== step), undone: [...undone, step] } : { done, undone }
}

/** The step that would be done again next is back. */
export function afterRedo({ done, undone }: EditHistory): EditHistory {
  const step = undone.at(-1)
  return step ? { done: [...done, step], undone: undone.slice(0, -1) } : { done, undone }
}

/** What has to be done to undo a step. */
export const undoOperation = (step: EditStep) => ({
  changes: reversed(step.changes),
  make: [],
  remove: step.made.map(({ id }) => id),
})

/** What has to be done to do a step again. */
export const redoOperation = (step: EditStep) => ({ changes: step.changes, make: step.made, remove: [] })

/**
 * A step was refused after all, as if it had never been: those that followed it in the same cells begin with what stood
 * there before it.
 */
export function withoutStep(history: EditHistory, id: number): EditHistory {
  const step = [...history.done, ...history.undone].find((each) => each.id === id)
  if (!step) return history
  const before = new Map(step.changes.map((change) => [keyOf(change), change.was]))
  // Only the next step in a cell began with what is gone; the ones behind it began with what that one wrote.
  const relink = (change: CellChange): CellChange => {
    if (!before.has(keyOf(change))) return change
    const was = before.get(keyOf(change))
    before.delete(keyOf(change))
    return { ...change, was }
  }
  const at = history.done.indexOf(step)
  const done = history.done.flatMap((each, place) => {
    if (each === step) return []
    return place > at && at >= 0 ? [{ ...each, changes: each.changes.map(relink) }] : [each]
  })
  return { done, undone: history.undone.filter((each) => each !== step) }
}

/** Only some cells of a step could be undone or done again: it is about those alone from now on. */
export function withOnly(history: EditHistory, id: number, isKept: (change: CellChange) => boolean): EditHistory {
  const narrow = (step: EditStep): EditStep =>
    step.id === id ? { ...step, changes: step.changes.filter(isKept) } : step
  const isThere = ({ changes, made }: EditStep) => changes.length + made.length > 0
  return { done: history.done.map(narrow).filter(isThere), undone: history.undone.map(narrow).filter(isThere) }
}

/** Records that were made by a step, or made once more, bear other ids than the history knows. */
export function withIds(history: EditHistory, ids: ReadonlyMap<string, string>): EditHistory {
  const renamed = (id: string): string => ids.get(id) ?? id
  const inStep = (step: EditStep): EditStep => ({
    ...step,
    changes: step.changes.map((change) => ({ ...change, record: renamed(change.record) })),
    made: step.made.map((made) => ({ ...made, id: renamed(made.id) })),
  })
  return { done: history.done.map(inStep), undone: history.undone.map(inStep) }
}

const keyOf = ({ record, field }: CellChange): string => `${record} ${field}`
