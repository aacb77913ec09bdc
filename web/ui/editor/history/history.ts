import { Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey, type SelectionBookmark, type Transaction } from '@tiptap/pm/state'
import type { Step } from '@tiptap/pm/transform'
import {
  afterRedo,
  afterUndo,
  type ChangeKind,
  emptyStacks,
  historyCommandOf,
  nextToRedo,
  nextToUndo,
  remember,
  type UndoGroup,
  type UndoStacks,
} from './history-rules.ts'

declare module '@tiptap/core' {
  // Tells Tiptap's chain of commands about ours.
  interface Commands<ReturnType> {
    specifiedHistory: {
      /** Takes the newest undo step back. */
      undo: () => ReturnType
      /** Does the newest step that was taken back again. */
      redo: () => ReturnType
    }
  }
}

/** One change, kept as the steps that take it back, and the selection as it was before. */
type Reversal = { readonly steps: readonly Step[]; readonly selection: SelectionBookmark }

type Stacks = UndoStacks<Reversal>

const key = new PluginKey<Stacks>('specifiedHistory')

function reversalOf(tr: Transaction, selection: SelectionBookmark): Reversal {
  const steps = tr.steps.map((step, at) => step.invert(tr.docs[at] ?? tr.before))
  return { steps: steps.toReversed(), selection }
}

function kindOf(tr: Transaction, before: EditorState): ChangeKind {
  if (tr.getMeta('appendedTransaction') !== undefined) return 'follow-up'
  if (tr.getMeta('uiEvent') === 'paste') return 'alone'
  const isAutoformat = before.plugins.some((plugin) => plugin.spec['isInputRules'] && tr.getMeta(plugin) !== undefined)
  return isAutoformat ? 'alone' : 'ordinary'
}

/** A transaction that takes a whole group back, and the group that would do it again. */
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

/** Takes the newest undo step back, as a ProseMirror command. */
export function undo(state: EditorState, dispatch: Dispatch): boolean {
  const stacks = key.getState(state) ?? emptyStacks<Reversal>()
  const group = nextToUndo(stacks)
  if (!group) return false
  if (!dispatch) return true
  const { tr, opposite } = revert(state, group)
  dispatch(tr.setMeta(key, afterUndo(stacks, opposite)))
  return true
}

/** Does the step that was taken back last again, as a ProseMirror command. */
export function redo(state: EditorState, dispatch: Dispatch): boolean {
  const stacks = key.getState(state) ?? emptyStacks<Reversal>()
  const group = nextToRedo(stacks)
  if (!group) return false
  if (!dispatch) return true
  const { tr, opposite } = revert(state, group)
  dispatch(tr.setMeta(key, afterRedo(stacks, opposite)))
  return true
}

/**
 * The plugin that keeps the undo steps by the specification's rule. ProseMirror's own history groups by pauses and
 * places and holds up to 120 steps. A change with the meta `addToHistory: false` replaces the document from outside:
 * what was remembered before it no longer fits and is forgotten.
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
        return remember(stacks, reversalOf(tr, before.selection.getBookmark()), tr.time, kindOf(tr, before))
      },
    },
    props: {
      handleKeyDown(view, event) {
        const name = historyCommandOf(event, isMac)
        if (!name) return false
        const command = { undo, redo }[name]
        command(view.state, view.dispatch)
        // Handled even with nothing to undo or redo: a key map would go on to the same key without Shift.
        return true
      },
      handleDOMEvents: {
        // The browser's own undo, from its menu or by a gesture, must follow the same rule.
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

/** Undo and redo by the specification: groups of 1000 ms from their first change, at most 100 of them. */
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
