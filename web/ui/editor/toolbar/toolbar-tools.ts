import type { ChainedCommands, Editor } from '@tiptap/core'
import { EDITOR } from '#domain/specification.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import {
  IconBlockquote,
  IconBold,
  IconClearFormatting,
  IconCode,
  IconCodeblock,
  IconColumnInsertLeft,
  IconColumnInsertRight,
  IconColumnRemove,
  IconH1,
  IconH2,
  IconH3,
  IconIndentDecrease,
  IconIndentIncrease,
  IconItalic,
  IconListCheck,
  IconPilcrow,
  IconRowInsertBottom,
  IconRowInsertTop,
  IconRowRemove,
  IconSeparatorHorizontal,
  IconStrikethrough,
  IconTableRow,
  IconUnderline,
} from '#web/ui/icons/editor.ts'
import { IconListNumbers, IconPhoto, IconTable, IconTrash } from '#web/ui/icons/general.ts'
import { IconList } from '#web/ui/icons/later.ts'
import { t } from '#web/i18n/t.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

export type Tool = {
  readonly name: string
  readonly label: string
  readonly icon: Icon
  /** In the format of `aria-keyshortcuts`; `Mod` is Command on a Mac and Ctrl elsewhere. */
  readonly keys?: string
  readonly alsoCalled?: string
  readonly isOn?: (editor: Editor) => boolean
  readonly use: (editor: Editor) => void
}

const HEADING_ICONS = { 1: IconH1, 2: IconH2, 3: IconH3 }

const headings = EDITOR.headingLevels.map(
  (level): Tool => ({
    name: `heading-${level}`,
    label: UI_TEXTS.editor.heading(level),
    icon: HEADING_ICONS[level],
    keys: `Mod+Alt+${level}`,
    isOn: (editor) => editor.isActive('heading', { level }),
    use: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
  }),
)

const marks: readonly Tool[] = [
  {
    name: 'bold',
    label: UI_TEXTS.editor.bold,
    icon: IconBold,
    keys: 'Mod+B',
    isOn: (editor) => editor.isActive('bold'),
    use: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    name: 'italic',
    label: UI_TEXTS.editor.italic,
    icon: IconItalic,
    keys: 'Mod+I',
    isOn: (editor) => editor.isActive('italic'),
    use: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    name: 'underline',
    label: UI_TEXTS.editor.underline,
    icon: IconUnderline,
    keys: 'Mod+U',
    isOn: (editor) => editor.isActive('underline'),
    use: (editor) => editor.chain().focus().toggleUnderline().run(),
  },
  {
    name: 'strike',
    label: UI_TEXTS.editor.strike,
    icon: IconStrikethrough,
    keys: 'Mod+Shift+S',
    isOn: (editor) => editor.isActive('strike'),
    use: (editor) => editor.chain().focus().toggleStrike().run(),
  },
  {
    name: 'code',
    label: UI_TEXTS.editor.code,
    icon: IconCode,
    keys: 'Mod+E',
    isOn: (editor) => editor.isActive('code'),
    use: (editor) => editor.chain().focus().toggleCode().run(),
  },
]

const lists: readonly Tool[] = [
  {
    name: 'bullet-list',
    label: UI_TEXTS.editor.bulletList,
    icon: IconList,
    keys: 'Mod+Shift+8',
    isOn: (editor) => editor.isActive('bulletList'),
    use: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    name: 'ordered-list',
    label: UI_TEXTS.editor.orderedList,
    icon: IconListNumbers,
    keys: 'Mod+Shift+7',
    isOn: (editor) => editor.isActive('orderedList'),
    use: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    name: 'task-list',
    label: UI_TEXTS.editor.taskList,
    icon: IconListCheck,
    keys: 'Mod+Shift+9',
    alsoCalled: t('todo tasks checkbox'),
    isOn: (editor) => editor.isActive('taskList'),
    use: (editor) => editor.chain().focus().toggleTaskList().run(),
  },
]

const indents: readonly Tool[] = [
  {
    name: 'indent-less',
    label: UI_TEXTS.editor.indentLess,
    icon: IconIndentDecrease,
    keys: 'Mod+[',
    use: (editor) => editor.chain().focus().indentLess().run(),
  },
  {
    name: 'indent-more',
    label: UI_TEXTS.editor.indentMore,
    icon: IconIndentIncrease,
    keys: 'Mod+]',
    use: (editor) => editor.chain().focus().indentMore().run(),
  },
]

const clearing: readonly Tool[] = [
  {
    name: 'clear-formatting',
    label: UI_TEXTS.editor.clearFormatting,
    icon: IconClearFormatting,
    keys: 'Mod+\\',
    use: (editor) => editor.chain().focus().clearFormatting().run(),
  },
]

const text: Tool = {
  name: 'text',
  label: UI_TEXTS.editor.text,
  icon: IconPilcrow,
  keys: 'Mod+Alt+0',
  alsoCalled: t('paragraph plain'),
  use: (editor) => editor.chain().focus().setParagraph().run(),
}

const NEW_TABLE = { rows: 3, cols: 3, withHeaderRow: true }

export const INSERT_TABLE: Tool = {
  name: 'table',
  label: UI_TEXTS.editor.table,
  icon: IconTable,
  alsoCalled: t('grid rows columns'),
  use: (editor) => editor.chain().focus().insertTable(NEW_TABLE).run(),
}

export const BLOCK_TOOLS: readonly Tool[] = [
  {
    name: 'file',
    label: UI_TEXTS.inside.addFile,
    icon: IconPhoto,
    alsoCalled: t('picture photo upload attachment document'),
    use: (editor) => editor.chain().focus().chooseFiles().run(),
  },
  {
    name: 'quote',
    label: UI_TEXTS.editor.quote,
    icon: IconBlockquote,
    keys: 'Mod+Shift+B',
    alsoCalled: t('blockquote citation'),
    isOn: (editor) => editor.isActive('blockquote'),
    use: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    name: 'code-block',
    label: UI_TEXTS.editor.codeBlock,
    icon: IconCodeblock,
    keys: 'Mod+Alt+C',
    alsoCalled: t('source program'),
    isOn: (editor) => editor.isActive('codeBlock'),
    use: (editor) => editor.chain().focus().toggleCodeBlock().run(),
  },
  { ...INSERT_TABLE, isOn: (editor) => editor.isActive('table') },
  {
    name: 'rule',
    label: UI_TEXTS.editor.rule,
    icon: IconSeparatorHorizontal,
    alsoCalled: t('horizontal rule line hr'),
    use: (editor) => editor.chain().focus().setHorizontalRule().run(),
  },
]

export const TOOL_GROUPS = { headings, marks, lists, indents, clearing }

export const LINE_TOOLS: readonly Tool[] = [text, ...headings, ...lists, ...BLOCK_TOOLS]

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
