import { Extension } from '@tiptap/core'
import type { NodeType, ResolvedPos } from '@tiptap/pm/model'
import { liftListItem } from '@tiptap/pm/schema-list'
import { EditorState, TextSelection, type Transaction } from '@tiptap/pm/state'
import { liftTarget } from '@tiptap/pm/transform'
import { isItem } from './indent.ts'

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    clearFormatting: {
      clearFormatting: () => ReturnType
    }
  }
}

/** Exceeds any real nesting depth; prevents an endless loop if lifting makes no progress. */
const MAX_LIFTS = 50

function touchedTexts(tr: Transaction): number[] {
  const starts: number[] = []
  tr.doc.nodesBetween(tr.selection.from, tr.selection.to, (node, pos) => {
    if (node.isTextblock) starts.push(pos + 1)
  })
  return starts
}

function liftFromList(tr: Transaction, textStart: number, item: NodeType): boolean {
  const state = EditorState.create({ doc: tr.doc, selection: TextSelection.create(tr.doc, textStart) })
  return liftListItem(item)(state, (lifted) => {
    for (const step of lifted.steps) tr.step(step)
  })
}

function liftFromQuote(tr: Transaction, $pos: ResolvedPos): boolean {
  const range = $pos.blockRange()
  const depth = range && liftTarget(range)
  if (!range || typeof depth !== 'number') return false
  tr.lift(range, depth)
  return true
}

/** Lifts a block and its children out of one list or quote; false if it isn't in one. */
function liftOnce(tr: Transaction, textStart: number): boolean {
  const $pos = tr.doc.resolve(textStart)
  if ($pos.depth < 2) return false
  const around = $pos.node(-1)
  if (isItem(around)) return liftFromList(tr, textStart, around.type)
  return around.type.name === 'blockquote' && liftFromQuote(tr, $pos)
}

function makePlain(tr: Transaction, textStart: number) {
  const before = tr.mapping.maps.length
  const place = () => tr.mapping.slice(before).map(textStart)
  for (let lifts = 0; lifts < MAX_LIFTS && liftOnce(tr, place()); lifts += 1);
  const paragraph = tr.doc.type.schema.nodes['paragraph']
  // Converts the block instead of changing its type, so that line breaks in code are kept.
  if (paragraph) tr.setBlockType(place(), place(), paragraph, {})
}

/**
 * Clears marks, block types, links and indents. Without a selection, affects only the text typed next. Tiptap's command
 * doesn't clear nested lists.
 */
export function clearFormatting(state: EditorState): Transaction {
  const { tr } = state
  const { from, to, empty } = tr.selection
  if (empty) return tr.setStoredMarks([])

  // Processed from last to first, because lifting a list item before its children would lift the children as well.
  for (const textStart of touchedTexts(tr).toReversed()) makePlain(tr, textStart)
  return tr.removeMark(tr.mapping.map(from, -1), tr.mapping.map(to, 1))
}

export const ClearFormatting = Extension.create({
  name: 'clearFormatting',
  addCommands: () => ({
    clearFormatting:
      () =>
      ({ state, dispatch }) => {
        if (dispatch) clearFormatting(state)
        return true
      },
  }),
  addKeyboardShortcuts() {
    return { 'Mod-\\': () => this.editor.commands.clearFormatting() }
  },
})
