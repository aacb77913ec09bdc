import { ID_PATTERN } from '#domain/shared/ids.ts'
import { EDITOR } from '#domain/specification.ts'

/** What a link may lead to. Everything else could run or read something. */
const SAFE_ADDRESS = /^(?:https?:\/\/[^/?#]|mailto:[^?]|tel:[^?]|sms:[^?])/i
/** Control and invisible characters, which browsers skip while they look for the scheme, white space, half characters. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\s]/u
/** Longest address kept; browsers and servers stop being reliable beyond about this. */
const MAX_LINK_LENGTH = 2048

/** What a link takes, as the end of “it must be …”. */
const SAFE_LINK_WORDS = `a URL of at most ${MAX_LINK_LENGTH.toLocaleString('en')} characters that starts with https://, http://, mailto:, tel: or sms:`

/**
 * Whether an address may be stored and followed. Only absolute addresses pass, so a link means the same wherever it is
 * shown. What is drawn is judged again by the same measure, and by whether a browser can read it at all.
 */
export const isSafeLink = (href: string): boolean =>
  href.length <= MAX_LINK_LENGTH && !FORBIDDEN.test(href) && SAFE_ADDRESS.test(href)

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
export type RichAttrs = { readonly [name: string]: string | number | boolean }

/** The nodes that may be stored. */
export type NodeName =
  | 'doc'
  | 'paragraph'
  | 'heading'
  | 'bulletList'
  | 'orderedList'
  | 'taskList'
  | 'listItem'
  | 'taskItem'
  | 'blockquote'
  | 'codeBlock'
  | 'horizontalRule'
  | 'table'
  | 'tableRow'
  | 'tableHeader'
  | 'tableCell'
  | 'image'
  | 'file'
  | 'text'
  | 'hardBreak'
  | 'mention'

/** The marks that may be stored. */
export type MarkName = 'bold' | 'italic' | 'underline' | 'strike' | 'code' | 'link'

/** How one attribute is read: which values it may have, and the one that goes without saying, if there is one. */
type AttributeRule = {
  readonly fallback?: string | number | boolean
  readonly accepts: (value: unknown) => boolean
  /** What it takes, as the end of “it must be …”. */
  readonly expected: string
}

/** The attributes of a node or a mark. */
export type AttributeRules = { readonly [name: string]: AttributeRule }

/** What a node may contain and carry. `content` names the children allowed; `fewest` how many there must be. */
export type NodeRule = {
  readonly content: readonly NodeName[]
  readonly minChildren: number
  readonly attrs: AttributeRules
  /** Whether what is inside bears marks. */
  readonly isUnmarked?: true
  /** What is wrong with a node whose parts are right each by itself. */
  readonly fault?: (node: RichNode) => string | undefined
}

const integer = (from: number, to: number, fallback?: number): AttributeRule => ({
  ...(fallback === undefined ? {} : { fallback }),
  accepts: (value) => Number.isInteger(value) && Number(value) >= from && Number(value) <= to,
  expected: `a whole number from ${from} to ${to}`,
})

const oneOf = (known: readonly unknown[], fallback?: string | number): AttributeRule => ({
  ...(fallback === undefined ? {} : { fallback }),
  accepts: (value) => known.includes(value),
  expected: `one of ${known.join(', ')}`,
})

const ID: AttributeRule = {
  accepts: (value) => typeof value === 'string' && ID_PATTERN.test(value),
  expected: 'an ID of 26 letters and digits',
}
const ID_OR_NONE: AttributeRule = { ...ID, accepts: (value) => value === undefined || ID.accepts(value) }

/** How wide a picture is drawn, in hundredths of its line. */
export const IMAGE_WIDTHS = [25, 50, 75, 100] as const
/** Most characters in the place of a picture. */
const MAX_ALT_LENGTH = 1000
const LANGUAGE = /^[a-z0-9+#._-]{1,32}$/
const LANGUAGE_OR_NONE: AttributeRule = {
  fallback: '',
  accepts: (name) => name === '' || isLanguage(name),
  expected: 'the short name of a language, like ts',
}
/** Most rows of a table; what is longer belongs into a collection. */
export const MAX_TABLE_ROWS = 1000
/** Most columns of a table. */
export const MAX_TABLE_COLUMNS = 50

const INDENT = integer(0, EDITOR.maxIndent, 0)
const LINES: readonly NodeName[] = ['paragraph', 'heading']
const LISTS: readonly NodeName[] = ['bulletList', 'orderedList', 'taskList']
const BLOCKS: readonly NodeName[] = ['blockquote', 'codeBlock', 'image', 'file']
const INLINE: readonly NodeName[] = ['text', 'hardBreak', 'mention']
const CELLS: readonly NodeName[] = ['tableHeader', 'tableCell']

const leaf = (attrs: AttributeRules = {}): NodeRule => ({ content: [], minChildren: 0, attrs })
const line = (attrs: AttributeRules): NodeRule => ({
  content: INLINE,
  minChildren: 0,
  attrs: { ...attrs, indent: INDENT },
})
const list = (item: NodeName, attrs: AttributeRules = {}): NodeRule => ({ content: [item], minChildren: 1, attrs })
const item = (attrs: AttributeRules): NodeRule => ({
  content: ['paragraph', ...LISTS, ...BLOCKS],
  minChildren: 1,
  attrs: { ...attrs, indent: INDENT },
  fault: ({ content = [] }) => (content[0]?.type === 'paragraph' ? undefined : 'an item must begin with a paragraph'),
})
const CELL: NodeRule = { content: ['paragraph'], minChildren: 1, attrs: {} }

/** The document schema as data: editor, server and renderer hold the same. */
export const NODES: { readonly [Name in NodeName]: NodeRule } = {
  doc: { content: [...LINES, ...LISTS, ...BLOCKS, 'horizontalRule', 'table'], minChildren: 1, attrs: {} },
  paragraph: line({}),
  heading: line({ level: oneOf(EDITOR.headingLevels) }),
  bulletList: list('listItem'),
  orderedList: list('listItem', { start: integer(0, 1_000_000, 1) }),
  taskList: list('taskItem'),
  listItem: item({}),
  taskItem: item({
    checked: { fallback: false, accepts: (value) => typeof value === 'boolean', expected: 'true or false' },
  }),
  blockquote: { content: [...LINES, ...LISTS, ...BLOCKS], minChildren: 1, attrs: {} },
  codeBlock: {
    content: ['text'],
    minChildren: 0,
    attrs: { language: LANGUAGE_OR_NONE },
    isUnmarked: true,
  },
  horizontalRule: leaf(),
  table: { content: ['tableRow'], minChildren: 1, attrs: {}, fault: tableFault },
  tableRow: { content: CELLS, minChildren: 1, attrs: {} },
  tableHeader: CELL,
  tableCell: CELL,
  image: leaf({
    file: ID,
    alt: {
      fallback: '',
      accepts: isAlt,
      expected: `text of at most ${MAX_ALT_LENGTH.toLocaleString('en')} characters`,
    },
    width: oneOf(IMAGE_WIDTHS, 100),
  }),
  file: leaf({ file: ID }),
  text: leaf(),
  hardBreak: leaf(),
  mention: { ...leaf({ kind: oneOf(['user', 'record']), id: ID, collection: ID_OR_NONE }), fault: mentionFault },
}

/**
 * Which mark goes around which: a link around its words however they are set, and code around nothing but words. Stored,
 * printed and edited they stand in this order.
 */
export const MARK_ORDER: readonly MarkName[] = ['link', 'bold', 'italic', 'underline', 'strike', 'code']

/** The marks and their attributes. */
export const MARKS: { readonly [Name in MarkName]: AttributeRules } = {
  bold: {},
  italic: {},
  underline: {},
  strike: {},
  code: {},
  link: {
    href: { accepts: (href) => typeof href === 'string' && isSafeLink(href), expected: SAFE_LINK_WORDS },
  },
}

/** Whether a word may name the language of code. */
export const isLanguage = (name: unknown): name is string => typeof name === 'string' && LANGUAGE.test(name)

/** Words in the place of a picture. The character of code 0 cannot be stored. */
function isAlt(alt: unknown): boolean {
  return typeof alt === 'string' && alt.length <= MAX_ALT_LENGTH && !alt.includes('\0')
}

function tableFault({ content = [] }: RichNode): string | undefined {
  const lengths = content.map((row) => row.content?.length ?? 0)
  if (lengths.length > MAX_TABLE_ROWS) return `a table has more than ${MAX_TABLE_ROWS} rows`
  if (lengths.some((length) => length > MAX_TABLE_COLUMNS)) return `a table has more than ${MAX_TABLE_COLUMNS} columns`
  return lengths.every((length) => length === lengths[0]) ? undefined : 'the rows of a table differ in length'
}

function mentionFault({ attrs = {} }: RichNode): string | undefined {
  const isInCollection = attrs['collection'] !== undefined
  return (attrs['kind'] === 'record') === isInCollection
    ? undefined
    : 'record mentions, and only those, must name their collection'
}
