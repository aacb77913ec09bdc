import { type Extensions, wrappingInputRule } from '@tiptap/core'
import { Bold } from '@tiptap/extension-bold'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Heading } from '@tiptap/extension-heading'
import { Italic } from '@tiptap/extension-italic'
import { Link } from '@tiptap/extension-link'
import { BulletList, ListItem, OrderedList } from '@tiptap/extension-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Text } from '@tiptap/extension-text'
import { Underline } from '@tiptap/extension-underline'
import { Placeholder, Selection } from '@tiptap/extensions'
import { EDITOR } from '#domain/specification.ts'
import { isSafeAddress, linkAddress } from '../link-address.ts'
import { ClearFormatting } from './clear-formatting.ts'
import { SpecifiedHistory } from './history.ts'
import { Indent } from './indent.ts'

/** Links that carry nothing but a safe address; a class or a target from pasted text is not kept. */
const SafeLink = Link.extend({
  // What is typed after a link is no part of it.
  inclusive: false,
  addAttributes: () => ({
    href: {
      default: null,
      parseHTML: (element: HTMLElement) => linkAddress(element.getAttribute('href') ?? '') ?? null,
    },
  }),
}).configure({
  openOnClick: false,
  autolink: true,
  linkOnPaste: true,
  defaultProtocol: 'https',
  isAllowedUri: (address) => isSafeAddress(address) || linkAddress(address) !== undefined,
  HTMLAttributes: { target: '_blank', rel: 'noopener noreferrer' },
})

/** List items hold text and further lists, nothing else; Tab is the business of the indent rules. */
const PlainListItem = ListItem.extend({
  content: 'paragraph (paragraph | bulletList | orderedList)*',
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem(this.name) }
  },
})

/** Numbered lists that count in numbers only, from a start of their own if they have one. */
const NumberedList = OrderedList.extend({
  addAttributes: () => ({
    start: {
      default: 1,
      parseHTML: (element: HTMLElement) => {
        const start = Number(element.getAttribute('start') ?? 1)
        return Number.isInteger(start) && start >= 0 && start <= 1_000_000 ? start : 1
      },
    },
  }),
  addInputRules() {
    return [
      wrappingInputRule({
        find: /^(\d{1,6})[.)]\s$/,
        type: this.type,
        getAttributes: (match) => ({ start: Number(match[1]) }),
        joinPredicate: (match, node) => node.childCount + Number(node.attrs['start']) === Number(match[1]),
      }),
    ]
  },
})

const HEADING_LEVELS = [...EDITOR.headingLevels]

/** Exactly the specification's tools. Nothing pasted can bring in what the toolbar cannot express. */
export function editorExtensions(placeholder = ''): Extensions {
  return [
    Document,
    Paragraph,
    Text,
    HardBreak,
    Heading.configure({ levels: HEADING_LEVELS }),
    Bold,
    Italic,
    Underline,
    SafeLink,
    BulletList,
    NumberedList,
    PlainListItem,
    Indent,
    ClearFormatting,
    SpecifiedHistory,
    // Keeps what is selected in sight while its address is typed.
    Selection.configure({ className: 'editor-selected' }),
    Placeholder.configure({ placeholder, showOnlyWhenEditable: false }),
  ]
}
