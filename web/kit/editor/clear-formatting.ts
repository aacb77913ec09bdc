import { Extension } from '@tiptap/core'
import type { EditorState, Transaction } from '@tiptap/pm/state'

declare module '@tiptap/core' {
  // Tells Tiptap's chain of commands about ours.
  interface Commands<ReturnType> {
    clearFormatting: {
      /** Takes marks off what is selected and makes every touched block a plain paragraph. */
      clearFormatting: () => ReturnType
    }
  }
}

/** Without a selection only what is typed next is plain: text that stands there is never changed unseen. */
function clearTyping(state: EditorState, tr: Transaction) {
  if (state.selection.$from.marks().length > 0) tr.setStoredMarks([])
}

/** “Clear formatting” as people know it: marks and blocks, links and indents too. */
export const ClearFormatting = Extension.create({
  name: 'clearFormatting',
  addCommands: () => ({
    clearFormatting:
      () =>
      ({ state, tr, chain, dispatch }) => {
        if (!dispatch) return true
        if (state.selection.empty) {
          clearTyping(state, tr)
          return true
        }
        return chain()
          .unsetAllMarks({ ignoreClearable: true })
          .clearNodes()
          .command(({ tr: cleared }) => clearIndents(cleared))
          .run()
      },
  }),
  addKeyboardShortcuts() {
    return { 'Mod-\\': () => this.editor.commands.clearFormatting() }
  },
})

function clearIndents(tr: Transaction): boolean {
  const { from, to } = tr.selection
  tr.doc.nodesBetween(from, to, (node, pos) => {
    if (node.isTextblock && node.attrs['indent']) tr.setNodeMarkup(pos, undefined, { ...node.attrs, indent: 0 })
  })
  return true
}
