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

function kindOf(tr: Transaction, before: EditorState): ChangeKind {
  if (tr.getMeta('appendedTransaction') !== undefined) return 'follow-up'
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
  dispatch(tr.setMeta(key, afterUndo(stacks, opposite)))
  return true
}

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
 * Undo by the specification's rule. ProseMirror's own history groups by pause and position and holds up to 120 steps.
 * A change with the meta `addToHistory: false` replaces the document from outside and clears the stacks.
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
        // Handled even when the stack is empty: otherwise a key map tries the same key without Shift.
        return true
      },
      handleDOMEvents: {
        // The browser's own undo, from its menu or a gesture, must follow the same rule.
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
