import { type Result, fail, ok } from '../shared/result.ts'
import {
  type AttributeRules,
  MARK_ORDER,
  MARKS,
  type MarkName,
  NODES,
  type NodeName,
  type RichAttrs,
  type RichDocument,
  type RichMark,
  type RichNode,
} from './document-schema.ts'

/** Eight nested lists are 17 nodes deep; the limit prevents stack overflows. */
const MAX_DEPTH = 40
/** Equivalent to about 300 printed pages. */
export const MAX_NODES = 50_000
/** Same limit as for long text. */
const MAX_CHARACTERS = 1_000_000

type AttributeList = readonly (readonly [name: string, rule: AttributeRules[string]])[]

const RULES_OF_NODES = listRules(NODES, ({ attrs }) => attrs)
const RULES_OF_MARKS = listRules(MARKS, (attrs) => attrs)

function listRules<Name extends string, Rule>(
  rules: { readonly [Each in Name]: Rule },
  attrsOf: (rule: Rule) => AttributeRules,
): { readonly [Each in Name]: AttributeList } {
  // `Object.fromEntries` loses the key types.
  const lists = Object.entries<Rule>(rules).map(([name, rule]) => [name, Object.entries(attrsOf(rule))])
  return Object.fromEntries(lists) as { readonly [Each in Name]: AttributeList }
}

/** `message` includes the position in the document. */
export type DocumentFault = { readonly code: string; readonly message: string }

type Reading = { nodes: number; characters: number; fault?: DocumentFault }

/** Position in a document; formatted as text only when an error occurs. */
type Place = {
  readonly outer?: Place
  readonly parent?: NodeName
  number: number
  readonly depth: number
  readonly reading: Reading
}

type JsonObject = { readonly [key: string]: unknown }

/**
 * Returns a new, normalized document that conforms to the schema. Unknown attributes are dropped; unknown nodes,
 * unknown marks and invalid values are errors.
 */
export function checkDocument(value: unknown): Result<RichDocument, DocumentFault> {
  const reading: Reading = { nodes: 0, characters: 0 }
  const place = { number: 0, depth: 0, reading }
  const node = isObject(value) && value['type'] === 'doc' ? readNode(value, place) : undefined
  if (reading.fault) return fail(reading.fault)
  if (node === undefined) return fail({ code: 'bad-document', message: 'Must be a document whose root node is “doc”.' })
  return ok({ ...node, type: 'doc' })
}

/** Only the first error is kept. */
function failAt(place: Place, reason: string): undefined {
  place.reading.fault ??= { code: 'bad-document', message: `Invalid document at ${pathOf(place)}: ${reason}.` }
  return undefined
}

const pathOf = ({ outer, parent, number }: Place): string =>
  outer ? `${pathOf(outer)} › ${parent} ${number}` : 'document'

function readNode(value: unknown, place: Place): RichNode | undefined {
  place.reading.nodes += 1
  if (place.reading.nodes > MAX_NODES) return failAt(place, `it has more than ${MAX_NODES} nodes`)
  if (place.depth > MAX_DEPTH) return failAt(place, `it is nested deeper than ${MAX_DEPTH} levels`)
  if (!isObject(value)) return failAt(place, 'a node is missing')

  const type = value['type']
  if (!isNodeName(type))
    return failAt(place, `“${typeof type === 'string' ? type.slice(0, 40) : typeof type}” isn’t a supported node type`)
  return type === 'text' ? readText(value, place) : readParts(value, type, place)
}

function readParts(value: JsonObject, type: NodeName, place: Place): RichNode | undefined {
  const rule = NODES[type]
  const attrs = readAttrs(RULES_OF_NODES[type], value['attrs'], place)
  const content = readContent(value['content'], type, place)
  // Mentions can have marks, but line breaks can't.
  const marks = type === 'mention' ? readMarks(value['marks'], place) : undefined
  const node = { type, ...(attrs && { attrs }), ...(content && { content }), ...(marks && { marks }) }
  const fault = rule.fault?.(node)
  return fault === undefined ? node : failAt(place, fault)
}

function readContent(items: unknown, parent: NodeName, place: Place): readonly RichNode[] | undefined {
  const rule = NODES[parent]
  const given = items ?? []
  if (!Array.isArray(given)) return failAt(place, 'its content is not a list')
  if (given.length < rule.minChildren) return failAt(place, `a ${parent} must not be empty`)
  if (given.length === 0) return undefined

  const content: RichNode[] = []
  const child: Place = { outer: place, parent, number: 0, depth: place.depth + 1, reading: place.reading }
  for (const item of given) {
    child.number += 1
    const node = readNode(item, child)
    if (node === undefined || place.reading.fault) break
    if (!rule.content.includes(node.type)) failAt(child, `a ${node.type} isn’t allowed in a ${parent}`)
    if (rule.isUnmarked && node.marks) failAt(child, `content of a ${parent} can’t have marks`)
    append(content, rule.isUnmarked ? normalizeLineEnds(node) : node)
  }
  return content
}

/** Merges adjacent text with equal marks. */
function append(content: RichNode[], node: RichNode): void {
  const last = content.at(-1)
  const isMore = last?.type === 'text' && node.type === 'text' && hasSameMarks(last, node)
  if (isMore) content[content.length - 1] = { ...last, text: `${last.text}${node.text}` }
  else content.push(node)
}

function hasSameMarks({ marks: one = [] }: RichNode, { marks: other = [] }: RichNode): boolean {
  if (one.length !== other.length) return false
  return one.every((mark, at) => mark.type === other[at]?.type && mark.attrs?.['href'] === other[at].attrs?.['href'])
}

const normalizeLineEnds = (node: RichNode): RichNode =>
  node.text === undefined ? node : { ...node, text: node.text.replace(/\r\n?/g, '\n') }

function readText(value: JsonObject, place: Place): RichNode | undefined {
  const text = value['text']
  if (typeof text !== 'string' || text === '') return failAt(place, 'a text node is empty')
  if (text.includes('\0')) return failAt(place, 'it contains a null character (U+0000), which can’t be stored')
  place.reading.characters += text.length
  if (place.reading.characters > MAX_CHARACTERS) return failAt(place, `it has more than ${MAX_CHARACTERS} characters`)

  const marks = readMarks(value['marks'], place)
  const wellFormed = text.toWellFormed()
  return marks ? { type: 'text', marks, text: wellFormed } : { type: 'text', text: wellFormed }
}

function readMarks(items: unknown, place: Place): readonly RichMark[] | undefined {
  const given = items ?? []
  if (!Array.isArray(given)) return failAt(place, 'its marks are not a list')
  if (given.length === 0) return undefined
  if (given.length > MARK_ORDER.length) return failAt(place, 'it has too many marks')

  const marks = new Map<MarkName, RichMark>()
  for (const item of given) {
    const type: unknown = isObject(item) ? item['type'] : undefined
    if (!isObject(item) || !isMarkName(type)) return failAt(place, 'it has an unknown mark')
    const attrs = readAttrs(RULES_OF_MARKS[type], item['attrs'], place)
    marks.set(type, attrs ? { type, attrs } : { type })
  }
  return MARK_ORDER.flatMap((type) => marks.get(type) ?? [])
}

/** Reads attributes, omitting those equal to their default. */
function readAttrs(rules: AttributeList, value: unknown, place: Place): RichAttrs | undefined {
  if (rules.length === 0) return undefined
  const given = isObject(value) ? value : {}
  let attrs: { [name: string]: string | number | boolean } | undefined
  for (const [name, rule] of rules) {
    const attribute = given[name] ?? rule.fallback
    const normalized = typeof attribute === 'string' ? attribute.toWellFormed() : attribute
    if (!rule.accepts(normalized)) failAt(place, `its ${name} must be ${rule.expected}`)
    if (isPlainValue(normalized) && normalized !== rule.fallback) (attrs ??= {})[name] = normalized
  }
  return attrs
}

const isPlainValue = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNodeName = (value: unknown): value is NodeName => typeof value === 'string' && Object.hasOwn(NODES, value)

const isMarkName = (value: unknown): value is MarkName => typeof value === 'string' && Object.hasOwn(MARKS, value)
