import { ID_PATTERN } from '#domain/shared/ids.ts'
import { EDITOR } from '#domain/specification.ts'

/** URL schemes that can't run code or read local files. */
const SAFE_ADDRESS = /^(?:https?:\/\/[^/?#]|mailto:[^?]|tel:[^?]|sms:[^?])/i
/**
 * Browsers ignore control and invisible characters when parsing a scheme; whitespace and lone surrogates are also
 * rejected.
 */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\s]/u
/** Browsers and servers don't reliably support longer URLs. */
const MAX_LINK_LENGTH = 2048

/** Completes the error message “must be …”. */
const SAFE_LINK_WORDS = `a URL of at most ${MAX_LINK_LENGTH.toLocaleString('en')} characters that starts with https://, http://, mailto:, tel: or sms:`

/** Only absolute URLs are allowed, so that a link has the same target everywhere. Renderers check links again. */
export const isSafeLink = (href: string): boolean =>
  href.length <= MAX_LINK_LENGTH && !FORBIDDEN.test(href) && SAFE_ADDRESS.test(href)

export type RichMark = { readonly type: MarkName; readonly attrs?: RichAttrs }

/** Node in ProseMirror's JSON format. */
export type RichNode = {
  readonly type: NodeName
  readonly attrs?: RichAttrs
  readonly content?: readonly RichNode[]
  readonly marks?: readonly RichMark[]
  readonly text?: string
}

/** Validated document; external input must pass `checkDocument`. */
export type RichDocument = RichNode & { readonly type: 'doc' }

export type RichAttrs = { readonly [name: string]: string | number | boolean }

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

export type MarkName = 'bold' | 'italic' | 'underline' | 'strike' | 'code' | 'link'

/** `fallback` is the default value, which is not stored. */
type AttributeRule = {
  readonly fallback?: string | number | boolean
  readonly accepts: (value: unknown) => boolean
  /** Completes the error message “must be …”. */
  readonly expected: string
}

export type AttributeRules = { readonly [name: string]: AttributeRule }

/** `content`: allowed child nodes; `minChildren`: minimum number of children. */
export type NodeRule = {
  readonly content: readonly NodeName[]
  readonly minChildren: number
  readonly attrs: AttributeRules
  /** Text in these nodes can't have marks. */
  readonly isUnmarked?: true
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

/** Width as a percentage of the line width. */
export const IMAGE_WIDTHS = [25, 50, 75, 100] as const
const MAX_ALT_LENGTH = 1000
const LANGUAGE = /^[a-z0-9+#._-]{1,32}$/
const LANGUAGE_OR_NONE: AttributeRule = {
  fallback: '',
  accepts: (name) => name === '' || isLanguage(name),
  expected: 'a short language name, such as ts',
}
/** For more rows, users should create a collection. */
export const MAX_TABLE_ROWS = 1000
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
  fault: ({ content = [] }) =>
    content[0]?.type === 'paragraph' ? undefined : 'a list item must begin with a paragraph',
})
const CELL: NodeRule = { content: ['paragraph'], minChildren: 1, attrs: {} }

/** Document schema shared by the editor, server and renderers. */
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

/** Nesting order of marks: links are outermost, code is innermost. */
export const MARK_ORDER: readonly MarkName[] = ['link', 'bold', 'italic', 'underline', 'strike', 'code']

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

export const isLanguage = (name: unknown): name is string => typeof name === 'string' && LANGUAGE.test(name)

function isAlt(alt: unknown): boolean {
  return typeof alt === 'string' && alt.length <= MAX_ALT_LENGTH && !alt.includes('\0')
}

function tableFault({ content = [] }: RichNode): string | undefined {
  const lengths = content.map((row) => row.content?.length ?? 0)
  if (lengths.length > MAX_TABLE_ROWS) return `a table has more than ${MAX_TABLE_ROWS} rows`
  if (lengths.some((length) => length > MAX_TABLE_COLUMNS)) return `a table has more than ${MAX_TABLE_COLUMNS} columns`
  return lengths.every((length) => length === lengths[0]) ? undefined : 'the rows of a table must have the same length'
}

function mentionFault({ attrs = {} }: RichNode): string | undefined {
  const isInCollection = attrs['collection'] !== undefined
  return (attrs['kind'] === 'record') === isInCollection
    ? undefined
    : 'a record mention must specify its collection, and other mentions must not'
}
