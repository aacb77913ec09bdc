import { EDITOR } from '#domain/specification.ts'

export type UndoGroup<Change> = { readonly changes: readonly Change[] }

/** What can be undone and redone. `openSinceMs` is the start of the newest group while it can still grow. */
export type UndoStacks<Change> = {
  readonly done: readonly UndoGroup<Change>[]
  readonly undone: readonly UndoGroup<Change>[]
  readonly openSinceMs: number | undefined
}

export type ChangeKind =
  /** Joins the open group if its time window has not passed. */
  | 'ordinary'
  /** Follows from the previous change and is undone together with it, however late it arrives. */
  | 'follow-up'
  /** A separate step, such as a list made from a typed dash: closes the group before it and accepts no additions. */
  | 'alone'

export function emptyStacks<Change>(): UndoStacks<Change> {
  return { done: [], undone: [], openSinceMs: undefined }
}

/**
 * Records a change. A group takes the changes within 1,000 ms of its first one, anywhere in the document; the oldest
 * group is dropped above 100.
 */
export function remember<Change>(
  stacks: UndoStacks<Change>,
  change: Change,
  atMs: number,
  kind: ChangeKind = 'ordinary',
): UndoStacks<Change> {
  const newest = stacks.done.at(-1)
  const isOpen = stacks.openSinceMs !== undefined && atMs - stacks.openSinceMs < EDITOR.undoGroupMs
  const joins = newest && (kind === 'follow-up' || (kind === 'ordinary' && isOpen))

  if (joins) {
    const grown = { changes: [...newest.changes, change] }
    return { done: [...stacks.done.slice(0, -1), grown], undone: [], openSinceMs: stacks.openSinceMs }
  }
  return {
    done: [...stacks.done, { changes: [change] }].slice(-EDITOR.undoStackMax),
    undone: [],
    openSinceMs: kind === 'alone' ? undefined : atMs,
  }
}

/** Pops the newest group; the caller passes its inverse to `afterUndo`. Undefined when there is nothing to undo. */
export function nextToUndo<Change>(stacks: UndoStacks<Change>): UndoGroup<Change> | undefined {
  return stacks.done.at(-1)
}

export function nextToRedo<Change>(stacks: UndoStacks<Change>): UndoGroup<Change> | undefined {
  return stacks.undone.at(-1)
}

export function afterUndo<Change>(stacks: UndoStacks<Change>, opposite: UndoGroup<Change>): UndoStacks<Change> {
  return { done: stacks.done.slice(0, -1), undone: [...stacks.undone, opposite], openSinceMs: undefined }
}

export function afterRedo<Change>(stacks: UndoStacks<Change>, opposite: UndoGroup<Change>): UndoStacks<Change> {
  return { done: [...stacks.done, opposite], undone: stacks.undone.slice(0, -1), openSinceMs: undefined }
}

type HistoryPress = {
  readonly key: string
  /** Key position: a layout without Latin letters has no `z`. */
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

export function historyCommandOf(press: HistoryPress, isMac: boolean): 'undo' | 'redo' | undefined {
  const isMod = isMac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey
  if (!isMod || press.altKey) return undefined
  const letter = /^[a-z]$/i.test(press.key) ? press.key.toLowerCase() : press.code.replace(/^Key/, '').toLowerCase()
  if (letter === 'z') return press.shiftKey ? 'redo' : 'undo'
  return letter === 'y' && !press.shiftKey ? 'redo' : undefined
}
