import type { ChainedCommands } from '@tiptap/core'
import {
  IconColumnInsertLeft,
  IconColumnInsertRight,
  IconColumnRemove,
  IconRowInsertBottom,
  IconRowInsertTop,
  IconRowRemove,
  IconTableRow,
} from '#web/ui/icons/editor.ts'
import { IconTrash } from '#web/ui/icons/general.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import type { Tool } from './toolbar-tools.ts'

const TEXTS = UI_TEXTS.editor.tableTools

const tool = (
  name: keyof typeof TEXTS,
  icon: Tool['icon'],
  run: (chain: ChainedCommands) => ChainedCommands,
): Tool => ({
  name,
  label: TEXTS[name],
  icon,
  use: (editor) => run(editor.chain().focus()).run(),
})

/** What can be done to the table the caret stands in. */
export const TABLE_TOOLS: readonly Tool[] = [
  tool('rowAbove', IconRowInsertTop, (chain) => chain.addRowBefore()),
  tool('rowBelow', IconRowInsertBottom, (chain) => chain.addRowAfter()),
  tool('columnBefore', IconColumnInsertLeft, (chain) => chain.addColumnBefore()),
  tool('columnAfter', IconColumnInsertRight, (chain) => chain.addColumnAfter()),
  tool('headerRow', IconTableRow, (chain) => chain.toggleHeaderRow()),
  tool('deleteRow', IconRowRemove, (chain) => chain.deleteRow()),
  tool('deleteColumn', IconColumnRemove, (chain) => chain.deleteColumn()),
  tool('deleteTable', IconTrash, (chain) => chain.deleteTable()),
]
