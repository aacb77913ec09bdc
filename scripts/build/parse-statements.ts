import { type ESTree, parseSync } from 'vite'
import { untranslatedTextsIn } from './untranslated-texts.ts'

type Node = ESTree.Node

/**
 * Message in the domain or server code: English in the source and in responses. In catalogs, interpolated values are
 * names in braces.
 */
export type Statement = {
  readonly key: string
  readonly start: number
  readonly end: number
  /** Positions of interpolated values, by name. */
  readonly values: ReadonlyMap<string, Place>
}

type Place = { readonly start: number; readonly end: number }

/** Messages for operators, shown in a terminal or log; not translated. */
const OPERATOR_FILES =
  /^server\/(?:cli|main|config|version|lifecycle|platform\/config|platform\/http\/listen|http\/listen)|^server\/(?:operations|platform\/(?:mail|database|storage|crypto)|schema\/templates|http\/openapi|query\/indexes)\//

/** Formatting functions: the placeholder is named after their argument. */
const FORMATTING_CALLS =
  /^(?:toString|toLocaleString|String|join|map|trim|format\w*|numberText|quoted|listed|joinNames|ceil|floor|round)$/

function nameOf(node: Node): string {
  switch (node.type) {
    case 'Identifier':
      return node.name
    case 'MemberExpression':
      return node.property.type === 'Identifier' ? memberName(node, node.property.name) : 'value'
    case 'CallExpression':
      return calledName(node)
    case 'ChainExpression':
    case 'TSAsExpression':
      return nameOf(node.expression)
    case 'LogicalExpression':
    case 'BinaryExpression':
      return nameOf(node.left)
    default:
      return 'value'
  }
}

const memberName = ({ object }: ESTree.MemberExpression, name: string): string =>
  name === 'length' || name === 'size' ? `${nameOf(object)}Count` : name

function calledName({ callee, arguments: [first] }: ESTree.CallExpression): string {
  const called = callee.type === 'MemberExpression' ? callee.property : callee
  const name = called.type === 'Identifier' ? called.name : 'value'
  if (!FORMATTING_CALLS.test(name)) return name
  return callee.type === 'MemberExpression' ? nameOf(callee.object) : first ? nameOf(first) : name
}

/** Converts `MAX_RULES` to `maxRules`. */
const readable = (name: string): string =>
  /^[A-Z\d]+$|^[A-Z][A-Z\d_]+$/.test(name)
    ? name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    : name

function statementOf(node: Node, source: string): Statement {
  const { start, end } = node
  const values = new Map<string, Place>()
  if (node.type !== 'TemplateLiteral') {
    return { key: node.type === 'Literal' ? String(node.value) : '', start, end, values }
  }
  const named = node.expressions.map((expression) => {
    const { start: from, end: to } = expression
    const written = source.slice(from, to)
    const known = [...values].find(([, place]) => source.slice(place.start, place.end) === written)?.[0]
    if (known !== undefined) return known
    const preferred = readable(nameOf(expression))
    const free = Array.from({ length: 9 }, (_, at) => (at === 0 ? preferred : `${preferred}${at + 1}`))
    const name = free.find((each) => !values.has(each)) ?? preferred
    values.set(name, { start: from, end: to })
    return name
  })
  const parts = node.quasis.map(({ value }, at) => {
    const name = named[at]
    return (value.cooked ?? value.raw) + (name === undefined ? '' : `{${name}}`)
  })
  return { key: parts.join(''), start, end, values }
}

const isProperty = (parent: Node, names: RegExp): boolean =>
  parent.type === 'Property' && parent.key.type === 'Identifier' && names.test(parent.key.name)

/** Whether a text is part of a problem or response body. */
const isInResponse = (parents: readonly Node[]): boolean =>
  parents.some(
    (parent) =>
      (parent.type === 'NewExpression' && parent.callee.type === 'Identifier' && parent.callee.name === 'Problem') ||
      isProperty(parent, /^(?:detail|message)$/),
  )

/** Messages are full sentences, the last of which can be a value; log lines and names are not. */
const IS_SENTENCE = /^[\p{Lu}“§].*\.(?: §)?$/su

/** Skipped because email templates contain each sentence in every language. */
const isEmailText = (parents: readonly Node[]): boolean => parents.some((parent) => isProperty(parent, /^(?:en|de)$/))

/** Messages in a file in `domain/` or `server/`. */
export function statementsIn(path: string, source: string): Statement[] {
  if (OPERATOR_FILES.test(path)) return []
  const texts = untranslatedTextsIn(path, parseSync(path, source).program)
  const statements = path.startsWith('server/')
    ? texts.filter(({ text, parents }) => isInResponse(parents) || (IS_SENTENCE.test(text) && !isEmailText(parents)))
    : texts
  return statements.map(({ node }) => statementOf(node, source))
}
