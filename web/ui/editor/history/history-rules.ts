import { EDITOR } from '#domain/specification.ts'

/** Changes that are undone together, the oldest first. */
export type UndoGroup<Change> = { readonly changes: readonly Change[] }

/** What can be undone and redone. `openSinceMs` is when the newest group began, as long as it may still grow. */
export type UndoStacks<Change> = {
  readonly done: readonly UndoGroup<Change>[]
  readonly undone: readonly UndoGroup<Change>[]
  readonly openSinceMs: number | undefined
}

/** How a change relates to the one before it. */
export type ChangeKind =
  /** Belongs to the group that is open, if its window has not passed. */
  | 'ordinary'
  /** Follows from the change just made, however late: undone together with it. */
  | 'follow-up'
  /** A step of its own, such as a list made from a typed dash: ends the group before it and is not added to. */
  | 'alone'

/** Nothing to undo, nothing to redo. */
export function emptyStacks<Change>(): UndoStacks<Change> {
  return { done: [], undone: [], openSinceMs: undefined }
}

/**
 * Remembers a change. A group takes in what happens within 1000 ms of its FIRST change, wherever in the document, so
 * that five seconds of steady typing are five steps; the oldest group goes when there would be more than 100.
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

/** Takes the newest group off; whoever undoes it hands its opposite to `afterUndo`. Undefined: nothing to undo. */
export function nextToUndo<Change>(stacks: UndoStacks<Change>): UndoGroup<Change> | undefined {
  return stacks.done.at(-1)
}

/** As `nextToUndo`, for redoing. */
export function nextToRedo<Change>(stacks: UndoStacks<Change>): UndoGroup<Change> | undefined {
  return stacks.undone.at(-1)
}

/** The stacks after the newest group was undone by `opposite`; the open group is closed. */
export function afterUndo<Change>(stacks: UndoStacks<Change>, opposite: UndoGroup<Change>): UndoStacks<Change> {
  return { done: stacks.done.slice(0, -1), undone: [...stacks.undone, opposite], openSinceMs: undefined }
}

/** The stacks after the newest undone group was redone; `opposite` undoes it again. */
export function afterRedo<Change>(stacks: UndoStacks<Change>, opposite: UndoGroup<Change>): UndoStacks<Change> {
  return { done: [...stacks.done, opposite], undone: stacks.undone.slice(0, -1), openSinceMs: undefined }
}

/** A key press, as the browser reports it. */
type HistoryPress = {
  readonly key: string
  /** The key's place on the keyboard: a layout without Latin letters has no `z`. */
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** Undo or redo, whichever the keys mean; Caps Lock does not matter. */
export function historyCommandOf(press: HistoryPress, isMac: boolean): 'undo' | 'redo' | undefined {
  const isMod = isMac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey
  if (!isMod || press.altKey) return undefined
  const letter = /^[a-z]$/i.test(press.key) ? press.key.toLowerCase() : press.code.replace(/^Key/, '').toLowerCase()
  if (letter === 'z') return press.shiftKey ? 'redo' : 'undo'
  return letter === 'y' && !press.shiftKey ? 'redo' : undefined
}
