import { Extension, type Extensions, getSchema, textblockTypeInputRule } from '@tiptap/core'
import { Bold } from '@tiptap/extension-bold'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Heading } from '@tiptap/extension-heading'
import { Italic } from '@tiptap/extension-italic'
import { HorizontalRule } from '@tiptap/extension-horizontal-rule'
import { Link } from '@tiptap/extension-link'
import { Strike } from '@tiptap/extension-strike'
import { Text } from '@tiptap/extension-text'
import { Underline } from '@tiptap/extension-underline'
import { Gapcursor, Placeholder, Selection } from '@tiptap/extensions'
import { EDITOR } from '#domain/specification.ts'
import { isSafeUrl, linkUrl } from '#web/ui/text/link-url.ts'
import { ClearFormatting } from './nodes/clear-formatting.ts'
import { FileBlock, ImageBlock, MentionChip } from './embeds/embed-nodes.tsx'
import { Find } from './find/find.tsx'
import { SpecifiedHistory } from './history/history.ts'
import { Indent, keepsTab } from './nodes/indent.ts'
import { CheckList, DottedList, NESTED, NumberedList, PlainListItem, Task } from './nodes/list-nodes.ts'
import { slashMenu } from './suggestions/slash-menu.ts'
import { type SuggestionStore, createSuggestionStore } from './suggestions/suggestions.ts'
import { createEmbeds, type CurrentEmbeds, mentionMenu } from './embeds/editor-embeds.ts'
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table'
import type { Node } from '@tiptap/pm/model'
import { Plugin, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { cleanPasted, looksLikeMarkdown, MAX_COLUMNS, MAX_ROWS } from './paste/clean-pasted.ts'
import { Blockquote } from '@tiptap/extension-blockquote'
import { Code } from '@tiptap/extension-code'
import { CodeBlock } from '@tiptap/extension-code-block'
import { Paragraph } from '@tiptap/extension-paragraph'

const ParagraphNode = Paragraph.extend({ group: NESTED })

const Quote = Blockquote.extend({ group: NESTED, content: '(nested | heading)+' })

const InlineCode = Code.extend({ excludes: 'code' })

const LANGUAGE = /^[a-z0-9+#._-]{1,32}$/

const TAB_SIZE = 2

const CodeLines = CodeBlock.extend({
  group: NESTED,
  addAttributes() {
    return {
      language: {
        default: '',
        rendered: false,
        parseHTML: (element: HTMLElement) => {
          const names = [...element.classList, ...(element.firstElementChild?.classList ?? [])]
          const name = names.find((each) => each.startsWith('language-'))?.slice('language-'.length) ?? ''
          return LANGUAGE.test(name) ? name : ''
        },
      },
    }
  },
  addKeyboardShortcuts() {
    const keys = this.parent?.() ?? {}
    return { ...keys, ...keepsTab(this.editor, keys) }
  },
  addInputRules() {
    return [
      textblockTypeInputRule({
        find: /^```([a-z0-9+#._-]{1,32})?[\s\n]$/,
        type: this.type,
        getAttributes: (match) => ({ language: match[1] ?? '' }),
      }),
    ]
  },
}).configure({ enableTabIndentation: true, tabSize: TAB_SIZE })

/** Syntax highlighting copied from a code editor isn't treated as formatting. */
const FROM_CODE_EDITOR = 'vscode-editor-data'

function plainText({ clipboardData }: ClipboardEvent): string | undefined {
  if (!clipboardData) return undefined
  const hasHtml = clipboardData.types.includes('text/html') && !clipboardData.types.includes(FROM_CODE_EDITOR)
  const text = clipboardData.getData('text/plain')
  return hasHtml || text === '' ? undefined : text
}

async function pasteMarkdown(view: EditorView, text: string): Promise<void> {
  const { markdownAsHtml } = await import('./paste/markdown-html.ts')
  if (!view.isDestroyed) view.pasteHTML(markdownAsHtml(text))
}

/** Parses content pasted from other programs. With Shift, pastes plain text. */
const Paste = Extension.create({
  name: 'pasteFromElsewhere',
  // Must run before the link extension, which handles a pasted URL only if it is the whole pasted content.
  priority: 900,
  addProseMirrorPlugins() {
    let isLiteral = false
    return [
      new Plugin({
        props: {
          handleKeyDown(_view, { key, shiftKey, metaKey, ctrlKey }) {
            isLiteral = shiftKey && (metaKey || ctrlKey) && key.toLowerCase() === 'v'
            return false
          },
          transformPastedHTML: cleanPasted,
          handlePaste(view, event) {
            const text = isLiteral || view.state.selection.$from.parent.type.spec.code ? undefined : plainText(event)
            isLiteral = false
            if (text === undefined || !looksLikeMarkdown(text)) return false
            // If the chunk can't be loaded, pastes plain text.
            void pasteMarkdown(view, text).then(undefined, () => view.pasteText(text))
            return true
          },
        },
      }),
    ]
  },
})

/** Cells contain only paragraphs and can't be merged; merged cells are split when pasted. */
const PLAIN_CELL = {
  content: 'paragraph+',
  // Required by the table commands, but omitted from stored documents because they have default values.
  addAttributes: () => ({
    colspan: { default: 1, rendered: false, parseHTML: () => 1 },
    rowspan: { default: 1, rendered: false, parseHTML: () => 1 },
    colwidth: { default: null, rendered: false, parseHTML: () => null },
  }),
}

const PlainTable = Table.extend({
  renderHTML: () => ['div', { class: 'document-table' }, ['table', ['tbody', 0]]],
  addNodeView: () => null,
  addProseMirrorPlugins() {
    const isSmall = (node: Node) => node.childCount <= MAX_ROWS && (node.firstChild?.childCount ?? 0) <= MAX_COLUMNS
    const isKept = ({ doc }: Transaction) => doc.children.every((node) => node.type !== this.type || isSmall(node))
    // Rejects changes that make a table too large to be stored.
    const limit = new Plugin({ filterTransaction: (tr) => !tr.docChanged || isKept(tr) })
    return [...(this.parent?.() ?? []), limit]
  },
  addKeyboardShortcuts() {
    const keys = this.parent?.() ?? {}
    return { ...keys, ...keepsTab(this.editor, keys) }
  },
})

const TABLE_PARTS = [
  TableRow.extend({ content: '(tableCell | tableHeader)+' }),
  TableCell.extend(PLAIN_CELL),
  TableHeader.extend(PLAIN_CELL),
]

/** Links keep only a safe URL; the class and target of pasted links are dropped. */
const SafeLink = Link.extend({
  // Text typed after a link isn't part of the link.
  inclusive: false,
  addAttributes: () => ({
    href: {
      default: null,
      parseHTML: (element: HTMLElement) => linkUrl(element.getAttribute('href') ?? '') ?? null,
    },
  }),
}).configure({
  openOnClick: false,
  autolink: true,
  linkOnPaste: true,
  defaultProtocol: 'https',
  isAllowedUri: (address) => isSafeUrl(address) || linkUrl(address) !== undefined,
  HTMLAttributes: { target: '_blank', rel: 'noopener noreferrer' },
})

const HEADING_LEVELS = [...EDITOR.headingLevels]

export type EditorParts = {
  readonly placeholder?: string | undefined
  readonly suggestions?: SuggestionStore
  readonly insideNow?: CurrentEmbeds
}

/** Supports exactly the nodes that can be stored, so that pasting can't add any others. */
export function editorExtensions({
  placeholder = '',
  suggestions = createSuggestionStore(),
  insideNow = () => undefined,
}: EditorParts = {}): Extensions {
  return [
    Document,
    ParagraphNode,
    Text,
    HardBreak,
    Heading.configure({ levels: HEADING_LEVELS }),
    Bold,
    Italic,
    Underline,
    Strike,
    InlineCode,
    SafeLink,
    DottedList,
    NumberedList,
    PlainListItem,
    CheckList,
    Task,
    Quote,
    CodeLines,
    HorizontalRule,
    PlainTable,
    ...TABLE_PARTS,
    ImageBlock,
    FileBlock,
    MentionChip,
    Indent,
    ClearFormatting,
    SpecifiedHistory,
    Find,
    Paste,
    slashMenu(suggestions),
    mentionMenu(suggestions, insideNow),
    createEmbeds(insideNow),
    // Allows typing between or after blocks that can't contain text.
    Gapcursor,
    // Keeps the selection visible while the user types the link URL.
    Selection.configure({ className: 'editor-selected' }),
    Placeholder.configure({ placeholder, showOnlyWhenEditable: false }),
  ]
}

export const editorSchema = () => getSchema(editorExtensions())
