import { Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey, type SelectionBookmark, type Transaction } from '@tiptap/pm/state'
import { AddMarkStep, type Step } from '@tiptap/pm/transform'
import { EDITOR } from '#domain/specification.ts'

type UndoGroup<Change> = { readonly changes: readonly Change[] }

/** The undo and redo stacks. `openSinceMs` is the start time of the newest group while it accepts further changes. */
export type UndoStacks<Change> = {
  readonly done: readonly UndoGroup<Change>[]
  readonly undone: readonly UndoGroup<Change>[]
  readonly openSinceMs: number | undefined
}

type ChangeKind =
  /** Added to the newest group if its time window hasn't passed. */
  | 'ordinary'
  /** Belongs to the previous change and is undone together with it, however late it arrives. */
  | 'follow-up'
  /**
   * A separate step, such as a list created by typing a dash; closes the previous group and accepts no further changes.
   */
  | 'alone'

export function emptyStacks<Change>(): UndoStacks<Change> {
  return { done: [], undone: [], openSinceMs: undefined }
}

/** Records a change. A group contains the changes within 1,000 ms of its first one; at most 100 groups are kept. */
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

/**
 * Removes and returns the newest group; the caller passes its inverse to `afterUndo`. Undefined if there is nothing to
 * undo.
 */
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
  /** Physical key position, because non-Latin keyboard layouts have no `z`. */
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

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    specifiedHistory: {
      undo: () => ReturnType
      redo: () => ReturnType
    }
  }
}

type Reversal = { readonly steps: readonly Step[]; readonly selection: SelectionBookmark }

type Stacks = UndoStacks<Reversal>

const key = new PluginKey<Stacks>('specifiedHistory')

function reversalOf(tr: Transaction, selection: SelectionBookmark): Reversal {
  const steps = tr.steps.map((step, at) => step.invert(tr.docs[at] ?? tr.before))
  return { steps: steps.toReversed(), selection }
}

/** Typed text that an input rule replaced with formatting before the text became part of the document. */
type TypedText = { readonly from: number; readonly to: number; readonly text: string }

function autoformattedText(tr: Transaction, before: EditorState): TypedText | undefined {
  const rules = before.plugins.find((plugin) => plugin.spec['isInputRules'] && tr.getMeta(plugin) !== undefined)
  const typed: TypedText | undefined = rules && tr.getMeta(rules)
  return typed && typed.text.trim() === '' && typed.text !== ' ' ? undefined : typed
}

/** Records the text as entered before the formatting, so that undo restores the typed text. */
function rememberAutoformat(stacks: Stacks, tr: Transaction, before: EditorState, { from, to, text }: TypedText) {
  const selection = before.selection.getBookmark()
  const written = before.tr.replaceWith(from, to, before.schema.text(text, before.doc.resolve(from).marks()))
  const { steps } = reversalOf(tr, selection)
  const format = { steps: [...steps, ...written.steps], selection: written.selection.getBookmark() }
  return remember(remember(stacks, reversalOf(written, selection), tr.time), format, tr.time, 'alone')
}

/** Undoing an automatic link keeps the typed URL as text. */
const isAutolink = ({ steps }: Transaction): boolean => steps.every((step) => step instanceof AddMarkStep)

function kindOf(tr: Transaction, before: EditorState): ChangeKind {
  if (tr.getMeta('appendedTransaction') !== undefined) return isAutolink(tr) ? 'alone' : 'follow-up'
  if (tr.getMeta('uiEvent') === 'paste') return 'alone'
  const isAutoformat = before.plugins.some((plugin) => plugin.spec['isInputRules'] && tr.getMeta(plugin) !== undefined)
  return isAutoformat ? 'alone' : 'ordinary'
}

function revert(state: EditorState, group: UndoGroup<Reversal>): { tr: Transaction; opposite: UndoGroup<Reversal> } {
  const selectionNow = state.selection.getBookmark()
  const { tr } = state
  for (const change of group.changes.toReversed()) for (const step of change.steps) tr.step(step)
  const opposite = { changes: [reversalOf(tr, selectionNow)] }

  const selection = group.changes[0]?.selection
  if (selection) tr.setSelection(selection.resolve(tr.doc))
  return { tr: tr.scrollIntoView(), opposite }
}

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

type Dispatch = ((tr: Transaction) => void) | undefined

export function undo(state: EditorState, dispatch: Dispatch): boolean {
  const stacks = key.getState(state) ?? emptyStacks<Reversal>()
  const group = nextToUndo(stacks)
  if (!group) return false
  if (!dispatch) return true
  const { tr, opposite } = revert(state, group)
  dispatch(tr.setMeta(key, afterUndo(stacks, opposite)).setMeta('preventAutolink', true))
  return true
}

export function redo(state: EditorState, dispatch: Dispatch): boolean {
  const stacks = key.getState(state) ?? emptyStacks<Reversal>()
  const group = nextToRedo(stacks)
  if (!group) return false
  if (!dispatch) return true
  const { tr, opposite } = revert(state, group)
  dispatch(tr.setMeta(key, afterRedo(stacks, opposite)).setMeta('preventAutolink', true))
  return true
}

/**
 * Undo as defined in the specification; ProseMirror's own history instead groups changes by pause and position and
 * keeps up to 120 steps. A change with the meta `addToHistory: false` replaces the document externally and clears the
 * stacks.
 */
export function historyPlugin(): Plugin<Stacks> {
  return new Plugin<Stacks>({
    key,
    state: {
      init: () => emptyStacks<Reversal>(),
      apply(tr, stacks, before) {
        const given: Stacks | undefined = tr.getMeta(key)
        if (given) return given
        if (!tr.docChanged) return stacks
        if (tr.getMeta('addToHistory') === false) return emptyStacks<Reversal>()
        const typed = autoformattedText(tr, before)
        if (typed) return rememberAutoformat(stacks, tr, before, typed)
        return remember(stacks, reversalOf(tr, before.selection.getBookmark()), tr.time, kindOf(tr, before))
      },
    },
    props: {
      handleKeyDown(view, event) {
        const name = historyCommandOf(event, isMac)
        if (!name) return false
        const command = { undo, redo }[name]
        command(view.state, view.dispatch)
        // Handled even if the stack is empty; otherwise a keymap would try the same key without Shift.
        return true
      },
      handleDOMEvents: {
        // Overrides the browser's own undo, which menus and gestures trigger.
        beforeinput(view, event) {
          const command = { historyUndo: undo, historyRedo: redo }[event.inputType]
          if (!command) return false
          event.preventDefault()
          command(view.state, view.dispatch)
          return true
        },
      },
    },
  })
}

export const SpecifiedHistory = Extension.create({
  name: 'specifiedHistory',
  addCommands: () => ({
    undo:
      () =>
      ({ state, dispatch }) =>
        undo(state, dispatch),
    redo:
      () =>
      ({ state, dispatch }) =>
        redo(state, dispatch),
  }),
  addProseMirrorPlugins: () => [historyPlugin()],
})
