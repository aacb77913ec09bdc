import { type Extensions, getSchema } from '@tiptap/core'
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
import { CodeLines, InlineCode, ParagraphNode, Quote } from './nodes/block-nodes.ts'
import { ClearFormatting } from './nodes/clear-formatting.ts'
import { FileBlock, ImageBlock } from './embeds/file-nodes.tsx'
import { Find } from './find/find.ts'
import { SpecifiedHistory } from './history/history.ts'
import { Indent } from './nodes/indent.ts'
import { CheckList, DottedList, NumberedList, PlainListItem, Task } from './nodes/list-nodes.ts'
import { mentionMenu } from './suggestions/mention-menu.ts'
import { MentionChip } from './embeds/mention-node.tsx'
import { Paste } from './paste/paste.ts'
import { slashMenu } from './suggestions/slash-menu.ts'
import { type SuggestionStore, suggestionStore } from './suggestions/suggestions.ts'
import { PlainTable, TABLE_PARTS } from './nodes/table-nodes.ts'
import { type CurrentEmbeds, createEmbeds } from './embeds/create-embeds.ts'

/** Links that carry nothing but a safe address; a class or a target from pasted text is not kept. */
const SafeLink = Link.extend({
  // What is typed after a link is no part of it.
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

/** What an editor is given by whoever draws it. */
export type EditorParts = {
  readonly placeholder?: string | undefined
  /** Where lists that open below the caret are drawn from. */
  readonly suggestions?: SuggestionStore
  /** What the app does with what stands inside. */
  readonly insideNow?: CurrentEmbeds
}

/** Exactly what can be kept. Nothing pasted can bring in what the document schema does not know. */
export function editorExtensions({
  placeholder = '',
  suggestions = suggestionStore(),
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
    // Where two blocks meet that take no words, or one ends the document, words can still be put beside them.
    Gapcursor,
    // Keeps what is selected in sight while its address is typed.
    Selection.configure({ className: 'editor-selected' }),
    Placeholder.configure({ placeholder, showOnlyWhenEditable: false }),
  ]
}

/** The schema of what can be written. */
export const editorSchema = () => getSchema(editorExtensions())
