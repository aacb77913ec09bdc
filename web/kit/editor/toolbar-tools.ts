import type { Editor } from '@tiptap/core'
import { EDITOR } from '#domain/specification.ts'
import { IconBold } from '#web/kit/icons/icon-bold.ts'
import { IconClearFormatting } from '#web/kit/icons/icon-clear-formatting.ts'
import { IconH1 } from '#web/kit/icons/icon-h-1.ts'
import { IconH2 } from '#web/kit/icons/icon-h-2.ts'
import { IconH3 } from '#web/kit/icons/icon-h-3.ts'
import { IconIndentDecrease } from '#web/kit/icons/icon-indent-decrease.ts'
import { IconIndentIncrease } from '#web/kit/icons/icon-indent-increase.ts'
import { IconItalic } from '#web/kit/icons/icon-italic.ts'
import { IconListNumbers } from '#web/kit/icons/icon-list-numbers.ts'
import { IconList } from '#web/kit/icons/icon-list.ts'
import { IconUnderline } from '#web/kit/icons/icon-underline.ts'
import { KIT_TEXTS } from '../kit-texts.ts'

/** One button of the toolbar. */
export type Tool = {
  readonly name: string
  readonly label: string
  readonly icon: typeof IconBold
  /** As `aria-keyshortcuts` and our hints write it; `Mod` is Command on a Mac and Control elsewhere. */
  readonly keys: string
  /** Whether it is switched on where the caret is; left out for tools that only do something once. */
  readonly isOn?: (editor: Editor) => boolean
  readonly use: (editor: Editor) => void
}

const HEADING_ICONS = { 1: IconH1, 2: IconH2, 3: IconH3 }

const headings = EDITOR.headingLevels.map(
  (level): Tool => ({
    name: `heading-${level}`,
    label: KIT_TEXTS.editor.heading(level),
    icon: HEADING_ICONS[level],
    keys: `Mod+Alt+${level}`,
    isOn: (editor) => editor.isActive('heading', { level }),
    use: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
  }),
)

const marks: readonly Tool[] = [
  {
    name: 'bold',
    label: KIT_TEXTS.editor.bold,
    icon: IconBold,
    keys: 'Mod+B',
    isOn: (editor) => editor.isActive('bold'),
    use: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    name: 'italic',
    label: KIT_TEXTS.editor.italic,
    icon: IconItalic,
    keys: 'Mod+I',
    isOn: (editor) => editor.isActive('italic'),
    use: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    name: 'underline',
    label: KIT_TEXTS.editor.underline,
    icon: IconUnderline,
    keys: 'Mod+U',
    isOn: (editor) => editor.isActive('underline'),
    use: (editor) => editor.chain().focus().toggleUnderline().run(),
  },
]

const lists: readonly Tool[] = [
  {
    name: 'bullet-list',
    label: KIT_TEXTS.editor.bulletList,
    icon: IconList,
    keys: 'Mod+Shift+8',
    isOn: (editor) => editor.isActive('bulletList'),
    use: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    name: 'ordered-list',
    label: KIT_TEXTS.editor.orderedList,
    icon: IconListNumbers,
    keys: 'Mod+Shift+7',
    isOn: (editor) => editor.isActive('orderedList'),
    use: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    name: 'indent-less',
    label: KIT_TEXTS.editor.indentLess,
    icon: IconIndentDecrease,
    keys: 'Mod+[',
    use: (editor) => editor.chain().focus().indentLess().run(),
  },
  {
    name: 'indent-more',
    label: KIT_TEXTS.editor.indentMore,
    icon: IconIndentIncrease,
    keys: 'Mod+]',
    use: (editor) => editor.chain().focus().indentMore().run(),
  },
]

const clearing: readonly Tool[] = [
  {
    name: 'clear-formatting',
    label: KIT_TEXTS.editor.clearFormatting,
    icon: IconClearFormatting,
    keys: 'Mod+\\',
    use: (editor) => editor.chain().focus().clearFormatting().run(),
  },
]

/** The tools in their groups, in the order of the toolbar; the link stands at the end of the marks. */
export const TOOL_GROUPS = { headings, marks, lists, clearing }
