import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table'
import { keepsTab } from './indent.ts'

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
