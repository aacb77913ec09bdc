import fc from 'fast-check'
import { checkDocument } from '#domain/rich-text/check-document.ts'
import {
  IMAGE_WIDTHS,
  type MarkName,
  MARKS,
  type NodeName,
  NODES,
  type RichAttrs,
  type RichDocument,
  type RichMark,
  type RichNode,
} from '#domain/rich-text/document-schema.ts'

/** Special characters of Markdown and HTML, words and spaces. */
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'\\`*_{}[]()#+-.!|~<>&;:=/"\' \t1a@'),
      fc.constantFrom('1.', '2)', '- ', '# ', '> ', '```', '---', '&amp;', '<b>', '<!--', '](', '  ', '~~', '==', '\n'),
      fc.constantFrom('[ ] ', '[x] ', '| a |', ':-', '~~~', '``', '</code>', '\r\n', '\u{a0}', '</p>'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''))
  .filter((each) => each !== '')

const id = fc
  .array(fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'), { minLength: 26, maxLength: 26 })
  .map((digits) => digits.join(''))

const MARK: { readonly [Name in MarkName]: RichMark } = {
  bold: { type: 'bold' },
  italic: { type: 'italic' },
  underline: { type: 'underline' },
  strike: { type: 'strike' },
  code: { type: 'code' },
  link: { type: 'link', attrs: { href: 'https://example.org/a?b=1&c=(2)*_|' } },
}
const marks = fc.subarray(Object.values(MARK))
const indent = fc.integer({ min: 0, max: 8 }).map((level) => ({ indent: level }))

/** Node attributes as the editor sets them. */
const ATTRS: { readonly [Name in NodeName]?: fc.Arbitrary<RichAttrs> } = {
  paragraph: indent,
  heading: fc.record({ level: fc.integer({ min: 1, max: 3 }), indent: fc.integer({ min: 0, max: 8 }) }),
  orderedList: fc.record({ start: fc.integer({ min: 0, max: 12 }) }),
  listItem: indent,
  taskItem: fc.record({ checked: fc.boolean() }),
  codeBlock: fc.record({ language: fc.constantFrom('', 'c++', 'ts') }),
  image: fc.record({ file: id, alt: fc.oneof(words, fc.constant('')), width: fc.constantFrom(...IMAGE_WIDTHS) }),
  file: fc.record({ file: id }),
  mention: fc.oneof(
    fc.record({ kind: fc.constant('user'), id }),
    fc.record({ kind: fc.constant('record'), id, collection: id }),
  ),
}

/** Nesting depth at which only simple nodes are generated. */
const DEEPEST = 5
const LARGEST_TABLE = { maxLength: 3 }

const { doc } = fc.letrec<{ [Name in NodeName]: RichNode }>((tie) => {
  const children = (type: NodeName): fc.Arbitrary<RichNode[]> => {
    const { content, minChildren: fewest } = NODES[type]
    if (content.length === 0) return fc.constant([])
    const child = fc.oneof(
      { maxDepth: DEEPEST, depthIdentifier: 'document', withCrossShrink: true },
      ...content.map((name) => tie(name)),
    )
    return fc.array(child, { minLength: fewest, maxLength: 3, depthIdentifier: 'document' })
  }
  const item = (type: NodeName) =>
    fc.tuple(tie('paragraph'), children(type)).map(([first, more]) => [first, ...more.slice(0, 2)])
  const node = (type: NodeName, content = children(type)): fc.Arbitrary<RichNode> =>
    fc.tuple(ATTRS[type] ?? fc.constant({}), content).map(([attrs, inside]) => ({ type, attrs, content: inside }))
  const text = fc.tuple(words, marks).map(([text, set]): RichNode => ({ type: 'text', marks: set, text }))
  const code = words.map((text): RichNode[] => [{ type: 'text', text }])
  const table = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.boolean()).chain(([columns, isHeaded]) => {
    const line = (isHead: boolean) =>
      fc
        .array(tie(isHead ? 'tableHeader' : 'tableCell'), { minLength: columns, maxLength: columns })
        .map((cells): RichNode => ({ type: 'tableRow', content: cells }))
    const anyLine = fc.boolean().chain(line)
    return isHeaded
      ? fc.tuple(line(true), fc.array(line(false), LARGEST_TABLE)).map(([head, rows]) => [head, ...rows])
      : fc.array(anyLine, { minLength: 1, ...LARGEST_TABLE })
  })
  return {
    doc: node('doc'),
    paragraph: node('paragraph'),
    heading: node('heading'),
    bulletList: node('bulletList'),
    orderedList: node('orderedList'),
    taskList: node('taskList'),
    listItem: node('listItem', item('listItem')),
    taskItem: node('taskItem', item('taskItem')),
    blockquote: node('blockquote'),
    codeBlock: node('codeBlock', fc.oneof(code, fc.constant<RichNode[]>([]))),
    horizontalRule: node('horizontalRule'),
    table: node('table', table),
    tableRow: node('tableRow'),
    tableHeader: node('tableHeader'),
    tableCell: node('tableCell'),
    image: node('image'),
    file: node('file'),
    text,
    hardBreak: node('hardBreak'),
    mention: fc.tuple(node('mention'), marks).map(([mention, set]) => ({ ...mention, marks: set })),
  }
})

/** Generates documents with every node and mark in the schema, and with special characters of other formats. */
export const randomDocuments: fc.Arbitrary<RichDocument> = doc.map((draft) => {
  const checked = checkDocument(draft)
  if (!checked.ok) throw new Error(checked.fault.message)
  return checked.value
})

export function kindsIn({ type, marks: set = [], content = [] }: RichNode): readonly string[] {
  return [type, ...set.map((mark) => mark.type), ...content.flatMap(kindsIn)]
}

export const ALL_KINDS: readonly string[] = [...Object.keys(NODES), ...Object.keys(MARKS)]
