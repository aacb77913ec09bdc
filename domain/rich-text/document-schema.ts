import { EDITOR } from '../specification.ts'
import { isSafeLink } from './safe-link.ts'

/** A mark on a run of text. */
export type RichMark = { readonly type: MarkName; readonly attrs?: RichAttrs }

/** A node of a document, in the JSON form ProseMirror writes. */
export type RichNode = {
  readonly type: NodeName
  readonly attrs?: RichAttrs
  readonly content?: readonly RichNode[]
  readonly marks?: readonly RichMark[]
  readonly text?: string
}

/** A whole document. Only `checkDocument` makes one from outside input. */
export type RichDocument = RichNode & { readonly type: 'doc' }

/** Attributes of a node or mark: plain values only. */
export type RichAttrs = { readonly [name: string]: string | number }

/** The nodes that may be stored. */
export type NodeName =
  | 'doc'
  | 'paragraph'
  | 'heading'
  | 'bulletList'
  | 'orderedList'
  | 'listItem'
  | 'text'
  | 'hardBreak'

/** The marks that may be stored. */
export type MarkName = 'bold' | 'italic' | 'underline' | 'link'

/** How one attribute is read: the clean value, or undefined for "refuse the document". */
type AttributeRule = { readonly fallback?: string | number; readonly accepts: (value: unknown) => boolean }

/** What a node may contain and carry. `content` names the children allowed; `fewest` how many there must be. */
type NodeRule = {
  readonly content: readonly NodeName[]
  readonly fewest: number
  readonly attrs: { readonly [name: string]: AttributeRule }
}

const integer = (from: number, to: number, fallback?: number): AttributeRule => ({
  ...(fallback === undefined ? {} : { fallback }),
  accepts: (value) => Number.isInteger(value) && Number(value) >= from && Number(value) <= to,
})

const INDENT = integer(0, EDITOR.maxIndent, 0)
const BLOCKS: readonly NodeName[] = ['paragraph', 'heading', 'bulletList', 'orderedList']
const INLINE: readonly NodeName[] = ['text', 'hardBreak']

/** The document schema as data: editor, server and renderer hold the same. */
export const NODES: { readonly [Name in NodeName]: NodeRule } = {
  doc: { content: BLOCKS, fewest: 1, attrs: {} },
  paragraph: { content: INLINE, fewest: 0, attrs: { indent: INDENT } },
  heading: {
    content: INLINE,
    fewest: 0,
    attrs: { level: { accepts: (level) => EDITOR.headingLevels.some((known) => known === level) }, indent: INDENT },
  },
  bulletList: { content: ['listItem'], fewest: 1, attrs: {} },
  orderedList: { content: ['listItem'], fewest: 1, attrs: { start: integer(0, 1_000_000, 1) } },
  listItem: { content: ['paragraph', 'bulletList', 'orderedList'], fewest: 1, attrs: { indent: INDENT } },
  text: { content: [], fewest: 0, attrs: {} },
  hardBreak: { content: [], fewest: 0, attrs: {} },
}

/** The marks and their attributes. */
export const MARKS: { readonly [Name in MarkName]: { readonly [name: string]: AttributeRule } } = {
  bold: {},
  italic: {},
  underline: {},
  link: { href: { accepts: (href) => typeof href === 'string' && isSafeLink(href) } },
}
