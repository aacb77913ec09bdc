import type { CellChange } from './cell-edits.ts'
import { reversed } from './cell-edits.ts'

export type CreatedRecord = { readonly id: string; readonly values: { readonly [field: string]: unknown } }

/** An undoable user action: changed cells and created records. */
export type EditStep = {
  readonly id: number
  readonly changes: readonly CellChange[]
  readonly made: readonly CreatedRecord[]
  /** Identifies changes that belong to one action but arrive at different times, such as files dropped together. */
  readonly together?: string | undefined
}

/** The latest step is last in both lists. */
export type EditHistory = { readonly done: readonly EditStep[]; readonly undone: readonly EditStep[] }

export const NO_HISTORY: EditHistory = { done: [], undone: [] }

export const MAX_STEPS = 200

/** A new step discards all undone steps. */
export const withStep = ({ done }: EditHistory, step: EditStep): EditHistory => ({
  done: [...done, step].slice(-MAX_STEPS),
  undone: [],
})

/** Merges the step into the last step if both belong to the same action; otherwise appends it. */
export function withMergedStep(history: EditHistory, step: EditStep, isSame: SameValue): EditHistory {
  const last = history.done.at(-1)
  const changes = step.together !== undefined && last?.together === step.together ? join(last, step, isSame) : undefined
  if (!last || !changes) return withStep(history, step)
  return { done: [...history.done.slice(0, -1), { ...last, changes }], undone: [] }
}

type SameValue = (field: string, one: unknown, other: unknown) => boolean

/** Undefined if someone else changed one of the cells between the two steps. */
function join(first: EditStep, next: EditStep, isSame: SameValue): readonly CellChange[] | undefined {
  const after = new Map(next.changes.map((change) => [keyOf(change), change]))
  const joined = first.changes.flatMap((change) => {
    const more = after.get(keyOf(change))
    return more && isSame(change.field, change.is, more.was) ? [{ ...change, is: more.is }] : []
  })
  return joined.length === first.changes.length && joined.length === after.size ? joined : undefined
}

/** Moves a step (by default, the last) to the undone steps. */
export function afterUndo({ done, undone }: EditHistory, id = done.at(-1)?.id): EditHistory {
  const step = done.find((each) => each.id === id)
  return step ? { done: done.filter((each) => each !== step), undone: [...undone, step] } : { done, undone }
}

/** Moves the last undone step back to the done steps. */
export function afterRedo({ done, undone }: EditHistory): EditHistory {
  const step = undone.at(-1)
  return step ? { done: [...done, step], undone: undone.slice(0, -1) } : { done, undone }
}

export const undoOperation = (step: EditStep) => ({
  changes: reversed(step.changes),
  make: [],
  remove: step.made.map(({ id }) => id),
})

export const redoOperation = (step: EditStep) => ({ changes: step.changes, make: step.made, remove: [] })

/** Removes a rejected step and rebases later changes to the same cells onto the values before it. */
export function withoutStep(history: EditHistory, id: number): EditHistory {
  const step = [...history.done, ...history.undone].find((each) => each.id === id)
  if (!step) return history
  const before = new Map(step.changes.map((change) => [keyOf(change), change.was]))
  // Only the next change to each cell is based on the removed value.
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

/** Limits a step to the cells that could be undone. */
export function withOnly(history: EditHistory, id: number, isKept: (change: CellChange) => boolean): EditHistory {
  const narrow = (step: EditStep): EditStep =>
    step.id === id ? { ...step, changes: step.changes.filter(isKept) } : step
  const isThere = ({ changes, made }: EditStep) => changes.length + made.length > 0
  return { done: history.done.map(narrow).filter(isThere), undone: history.undone.map(narrow).filter(isThere) }
}

/** Replaces the old IDs of recreated records with their new IDs. */
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
