import { type Editor, Extension, type KeyboardShortcutCommand } from '@tiptap/core'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import { EDITOR } from '#domain/specification.ts'
import type { Node, NodeRange, ResolvedPos } from '@tiptap/pm/model'
import { liftListItem, sinkListItem } from '@tiptap/pm/schema-list'

/** Maximum indent level, counting both list nesting and indent attributes. */
const MAX = EDITOR.maxIndent

export const isItem = (node: Node): boolean => node.type.name === 'listItem' || node.type.name === 'taskItem'

const TAKES_TAB: ReadonlySet<string> = new Set(['tableRow', 'codeBlock'])

function indentOf(node: Node): number {
  const indent: unknown = node.attrs['indent']
  return typeof indent === 'number' ? indent : 0
}

/** Visible level of a list item: its nesting depth plus its own indent and those of its ancestors. */
export function itemLevel($pos: ResolvedPos, depth: number): number {
  let level = -1
  for (let at = depth; at > 0; at -= 1) if (isItem($pos.node(at))) level += 1 + indentOf($pos.node(at))
  return level
}

function endOfNested(block: Node): number {
  let deepest = 0
  block.forEach((child) => {
    deepest = Math.max(deepest, endOfNested(child) + (isItem(child) ? 1 + indentOf(child) : 0))
  })
  return deepest
}

function itemRange(state: EditorState): NodeRange | null {
  const { $from, $to } = state.selection
  return $from.blockRange($to, (node) => node.firstChild !== null && isItem(node.firstChild))
}

type Placed = { readonly node: Node; readonly pos: number }

function itemsOf(range: NodeRange): Placed[] {
  const items: Placed[] = []
  let pos = range.start
  for (let at = range.startIndex; at < range.endIndex; at += 1) {
    const node = range.parent.child(at)
    items.push({ node, pos })
    pos += node.nodeSize
  }
  return items
}

function touchedBlocks(state: EditorState): Placed[] {
  const blocks: Placed[] = []
  const { from, to } = state.selection
  state.doc.nodesBetween(from, to, (node, pos) => {
    if (!isItem(node) && !node.isTextblock) return true
    if ('indent' in node.attrs) blocks.push({ node, pos })
    return false
  })
  return blocks
}

function setIndents(tr: Transaction, blocks: readonly Placed[], by: number): Transaction | undefined {
  for (const { node, pos } of blocks) {
    tr.setNodeMarkup(pos, undefined, { ...node.attrs, indent: indentOf(node) + by }, node.marks)
  }
  return blocks.length > 0 ? tr : undefined
}

/** Runs a ProseMirror list command and returns its transaction instead of dispatching it. */
function made(run: (dispatch: (tr: Transaction) => void) => boolean): Transaction | undefined {
  let result: Transaction | undefined
  run((tr) => {
    result = tr
  })
  return result
}

/**
 * Indents the selection by one level; undefined if all of it is at the maximum. An item is nested under the previous
 * one; if that is impossible or would skip a level, its indent attribute is increased.
 */
export function indentMore(state: EditorState): Transaction | undefined {
  const range = itemRange(state)
  if (!range) {
    const below = touchedBlocks(state).filter(({ node }) => indentOf(node) + endOfNested(node) < MAX)
    return setIndents(state.tr, below, 1)
  }

  const itemType = range.parent.firstChild?.type
  const base = itemLevel(range.$from, range.depth - 1) + 1
  const hasRoom = ({ node }: Placed) => base + indentOf(node) + endOfNested(node) < MAX
  const items = itemsOf(range)
  const previous = range.startIndex > 0 ? range.parent.child(range.startIndex - 1) : undefined
  const nests = previous && indentOf(previous) === 0 && items.every(hasRoom)

  if (nests && itemType) return made((dispatch) => sinkListItem(itemType)(state, dispatch))
  return setIndents(state.tr, items.filter(hasRoom), 1)
}

export function indentLess(state: EditorState): Transaction | undefined {
  const range = itemRange(state)
  const blocks = range ? itemsOf(range) : touchedBlocks(state)
  const raised = blocks.filter(({ node }) => indentOf(node) > 0)
  if (raised.length > 0 || !range) return setIndents(state.tr, raised, -1)

  const isNested = itemLevel(range.$from, range.depth - 1) >= 0
  const itemType = range.parent.firstChild?.type
  if (!isNested || !itemType) return undefined
  return made((dispatch) => liftListItem(itemType)(state, dispatch))
}

export function backspaceAtStart(state: EditorState): Transaction | undefined {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0 || !$from.parent.isTextblock) return undefined
  if (indentOf($from.parent) > 0) {
    return setIndents(state.tr, [{ node: $from.parent, pos: $from.before() }], -1)
  }

  const itemDepth = $from.depth - 1
  const item = itemDepth > 0 ? $from.node(itemDepth) : undefined
  if (!item || !isItem(item) || $from.index(itemDepth) > 0) return undefined
  if (indentOf(item) > 0) return setIndents(state.tr, [{ node: item, pos: $from.before(itemDepth) }], -1)
  return made((dispatch) => liftListItem(item.type)(state, dispatch))
}

function isTabTaken({ selection: { $from } }: EditorState): boolean {
  for (let depth = $from.depth; depth > 0; depth -= 1) if (TAKES_TAB.has($from.node(depth).type.name)) return true
  return false
}

/**
 * Whether Tab indents at the caret. Within a line or in a plain paragraph, Tab must move focus; otherwise keyboard
 * users couldn't leave the editor.
 */
export function tabIndentsHere(state: EditorState): boolean {
  if (isTabTaken(state)) return false
  if (!state.selection.empty) return true
  if (state.selection.$from.parentOffset > 0) return false
  return itemRange(state) !== null || touchedBlocks(state).some(({ node }) => indentOf(node) > 0)
}

declare module '@tiptap/core' {
  interface Storage {
    indent: { tabLeaves: boolean }
  }
  interface Commands<ReturnType> {
    indent: {
      indentMore: () => ReturnType
      indentLess: () => ReturnType
    }
  }
}

function readIndent(element: HTMLElement): number {
  const indent = Number(element.dataset['indent'])
  return Number.isInteger(indent) && indent > 0 && indent <= EDITOR.maxIndent ? indent : 0
}

function apply(rule: (state: EditorState) => Transaction | undefined) {
  return (props: { state: EditorState; view: { dispatch: (tr: Transaction) => void } }): boolean => {
    const tr = rule(props.state)
    if (tr) props.view.dispatch(tr.scrollIntoView())
    return tr !== undefined
  }
}

type Keys = { readonly [key: string]: KeyboardShortcutCommand }

export function keepsTab(editor: Editor, keys: Keys): Keys {
  const unlessLeaving = (name: 'Tab' | 'Shift-Tab'): Keys => {
    const run = keys[name]
    return run ? { [name]: (props) => !editor.storage.indent.tabLeaves && run(props) } : {}
  }
  return { ...unlessLeaving('Tab'), ...unlessLeaving('Shift-Tab') }
}

export const Indent = Extension.create<object, { tabLeaves: boolean }>({
  name: 'indent',
  // Must run before the list extensions, whose Tab handlers ignore the maximum level.
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

  // Commands in a chain share one transaction.
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
