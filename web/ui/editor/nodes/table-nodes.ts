import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table'
import type { Node } from '@tiptap/pm/model'
import { Plugin, type Transaction } from '@tiptap/pm/state'
import { keepsTab } from './indent.ts'
import { MAX_COLUMNS, MAX_ROWS } from './table-limits.ts'

/** Cells hold lines, and each is one cell: what was merged elsewhere is taken apart when it is pasted. */
const PLAIN_CELL = {
  content: 'paragraph+',
  // The commands of tables reckon with these; with their defaults they say nothing and are not kept.
  addAttributes: () => ({
    colspan: { default: 1, rendered: false, parseHTML: () => 1 },
    rowspan: { default: 1, rendered: false, parseHTML: () => 1 },
    colwidth: { default: null, rendered: false, parseHTML: () => null },
  }),
}

/** A table, in a frame that scrolls where it is wider than the page. */
export const PlainTable = Table.extend({
  renderHTML: () => ['div', { class: 'document-table' }, ['table', ['tbody', 0]]],
  addNodeView: () => null,
  addProseMirrorPlugins() {
    const isSmall = (node: Node) => node.childCount <= MAX_ROWS && (node.firstChild?.childCount ?? 0) <= MAX_COLUMNS
    const isKept = ({ doc }: Transaction) => doc.children.every((node) => node.type !== this.type || isSmall(node))
    // A table that could not be kept does not come about, by whichever way.
    const limit = new Plugin({ filterTransaction: (tr) => !tr.docChanged || isKept(tr) })
    return [...(this.parent?.() ?? []), limit]
  },
  addKeyboardShortcuts() {
    const keys = this.parent?.() ?? {}
    return { ...keys, ...keepsTab(this.editor, keys) }
  },
})

/** What a table is made of. */
export const TABLE_PARTS = [
  TableRow.extend({ content: '(tableCell | tableHeader)+' }),
  TableCell.extend(PLAIN_CELL),
  TableHeader.extend(PLAIN_CELL),
]
