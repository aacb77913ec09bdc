import { type Editor, Extension, type KeyboardShortcutCommand } from '@tiptap/core'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import { EDITOR } from '#domain/specification.ts'
import { backspaceAtStart, indentLess, indentMore, tabIndentsHere } from './indent-rules.ts'

declare module '@tiptap/core' {
  // Tells Tiptap's chain of commands, and its store, about ours.
  interface Storage {
    indent: { tabLeaves: boolean }
  }
  interface Commands<ReturnType> {
    indent: {
      /** One level more for what is selected; refuses at the highest. */
      indentMore: () => ReturnType
      /** One level less for what is selected; refuses at the lowest. */
      indentLess: () => ReturnType
    }
  }
}

function readIndent(element: HTMLElement): number {
  const indent = Number(element.dataset['indent'])
  return Number.isInteger(indent) && indent > 0 && indent <= EDITOR.maxIndent ? indent : 0
}

/** Applies what a rule prepared; false where it had nothing to do, so that the next handler of the key is asked. */
function apply(rule: (state: EditorState) => Transaction | undefined) {
  return (props: { state: EditorState; view: { dispatch: (tr: Transaction) => void } }): boolean => {
    const tr = rule(props.state)
    if (tr) props.view.dispatch(tr.scrollIntoView())
    return tr !== undefined
  }
}

type Keys = { readonly [key: string]: KeyboardShortcutCommand }

/** The Tab keys of a block of its own kind, such as a table, which let the keyboard out after Escape like all others. */
export function keepsTab(editor: Editor, keys: Keys): Keys {
  const unlessLeaving = (name: 'Tab' | 'Shift-Tab'): Keys => {
    const run = keys[name]
    return run ? { [name]: (props) => !editor.storage.indent.tabLeaves && run(props) } : {}
  }
  return { ...unlessLeaving('Tab'), ...unlessLeaving('Shift-Tab') }
}

/** Levels 1 to 8 for paragraphs, headings and list items, their keys, and the way out of the editor by keyboard. */
export const Indent = Extension.create<object, { tabLeaves: boolean }>({
  name: 'indent',
  // Before the lists, whose own Tab knows no levels.
  priority: 1000,
  addStorage: () => ({ tabLeaves: false }),

  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'listItem', 'taskItem'],
      attributes: {
        indent: {
          default: 0,
          parseHTML: readIndent,
          renderHTML: ({ indent }) => (indent ? { 'data-indent': indent } : {}),
        },
      },
    },
  ],

  // Within a command the rules work on the transaction all commands of the chain share.
  addCommands: () => ({
    indentMore:
      () =>
      ({ state }) =>
        indentMore(state) !== undefined,
    indentLess:
      () =>
      ({ state }) =>
        indentLess(state) !== undefined,
  }),

  onBlur() {
    this.storage.tabLeaves = false
  },

  addKeyboardShortcuts() {
    const { editor, storage } = this
    const tab = (rule: (state: EditorState) => Transaction | undefined) => () => {
      if (storage.tabLeaves || !tabIndentsHere(editor.state)) return false
      return apply(rule)(editor)
    }
    return {
      Escape: () => {
        storage.tabLeaves = true
        return false
      },
      Tab: tab(indentMore),
      'Shift-Tab': tab(indentLess),
      'Mod-]': () => apply(indentMore)(editor),
      'Mod-[': () => apply(indentLess)(editor),
      Backspace: () => editor.commands.undoInputRule() || apply(backspaceAtStart)(editor),
    }
  },

  onUpdate() {
    this.storage.tabLeaves = false
  },
})
