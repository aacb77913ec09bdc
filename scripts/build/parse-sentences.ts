import { type ESTree, parseSync, Visitor } from 'vite'

/** Translatable string in the source code. */
export type Sentence = {
  /** Catalog key: the text, followed by its context if it has one. */
  readonly key: string
  readonly text: string
  readonly isPlural: boolean
  /** Position in the source. If a string has no placeholders, the entire call is replaced. */
  readonly start: number
  readonly end: number
  /** Singular form and its position. */
  readonly one?: { readonly text: string; readonly start: number; readonly end: number }
  /** In JSX attributes, replacements other than literals need braces. */
  readonly isAttribute: boolean
}

/** Text of a literal or a concatenation of literals; undefined if it is known only at run time. */
function textOf(node: ESTree.Node | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node?.type !== 'BinaryExpression' || node.operator !== '+') return undefined
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === undefined || right === undefined ? undefined : left + right
}

const HAS_PLACEHOLDER = /\{\w+\}/

const keyOf = (text: string, context: string | undefined): string =>
  context === undefined ? text : `${text} [${context}]`

function requireText(text: string | undefined, path: string, start: number): string {
  if (text !== undefined) return text
  throw new Error(`${path}: the text at ${start} must be a literal, so that catalogues can contain it.`)
}

function sentenceOf({ arguments: [textNode, , context], start, end }: ESTree.CallExpression, path: string): Sentence {
  const text = requireText(textOf(textNode), path, start)
  const place = HAS_PLACEHOLDER.test(text) && textNode ? { start: textNode.start, end: textNode.end } : { start, end }
  return { key: keyOf(text, textOf(context)), text, isPlural: false, isAttribute: false, ...place }
}

function pluralOf({ arguments: [, one, other], start }: ESTree.CallExpression, path: string): Sentence {
  const text = requireText(textOf(other), path, start)
  const first = requireText(textOf(one), path, start)
  if (!one || !other) throw new Error(`${path}: a plural needs both its forms.`)
  return {
    key: text,
    text,
    isPlural: true,
    isAttribute: false,
    start: other.start,
    end: other.end,
    one: { text: first, start: one.start, end: one.end },
  }
}

/** Finds the texts of `<Say text="…">` elements, which are attributes. */
function textsOfSay({ attributes }: ESTree.JSXOpeningElement): Sentence[] {
  return attributes.flatMap((attribute) => {
    if (attribute.type !== 'JSXAttribute' || attribute.name.name !== 'text' || !attribute.value) return []
    const { value } = attribute
    const inner = value.type === 'JSXExpressionContainer' ? value.expression : value
    const text = textOf(inner)
    // Skipped, because calls to `t` in a computed text are found separately.
    return text === undefined
      ? []
      : [{ key: text, text, isPlural: false, isAttribute: true, start: value.start, end: value.end }]
  })
}

/** Strings that a file passes to functions from `#web/i18n/`, in order. */
export function sentencesIn(path: string, source: string): Sentence[] {
  if (!source.includes('#web/i18n/')) return []
  const found: Sentence[] = []
  new Visitor({
    CallExpression(call) {
      if (call.callee.type !== 'Identifier') return
      if (call.callee.name === 't') found.push(sentenceOf(call, path))
      if (call.callee.name === 'plural') found.push(pluralOf(call, path))
    },
    JSXOpeningElement(element) {
      if (element.name.type === 'JSXIdentifier' && element.name.name === 'Say') found.push(...textsOfSay(element))
    },
  }).visit(parseSync(path, source).program)
  return found
}
