import { type Result, ok } from '../shared/result.ts'
import {
  MARKS,
  type MarkName,
  NODES,
  type NodeName,
  type RichAttrs,
  type RichDocument,
  type RichMark,
  type RichNode,
} from './document-schema.ts'

/** Deepest nesting: 8 levels of lists are 17 nodes deep; the bound keeps a crafted document off the stack. */
const MAX_DEPTH = 40
/** Most nodes: about 300 printed pages. */
const MAX_NODES = 50_000
/** Most characters of text, as for long text. */
const MAX_CHARACTERS = 1_000_000

/** Why a document was refused; `message` names the place. */
export type DocumentFault = { readonly code: string; readonly message: string }

class Refusal extends Error {}

type Budget = { nodes: number; characters: number }

/**
 * Reads a document from outside and writes it anew, keeping only what the schema knows: the answer, never the input,
 * is what may be stored. Unknown attributes are dropped; unknown nodes and marks and bad attribute values are refused.
 */
export function checkDocument(value: unknown): Result<RichDocument, DocumentFault> {
  const budget: Budget = { nodes: 0, characters: 0 }
  try {
    if (!isObject(value) || value['type'] !== 'doc') refuse('document', 'its outermost node is not a “doc”')
    const { type: _type, ...rest } = readNode(value, 'document', 0, budget)
    return ok({ type: 'doc', ...rest })
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, fault: { code: 'bad-document', message: error.message } }
    throw error
  }
}

function refuse(path: string, reason: string): never {
  throw new Refusal(`The text cannot be stored: at ${path}, ${reason}.`)
}

function readNode(value: unknown, path: string, depth: number, budget: Budget): RichNode {
  if (depth > MAX_DEPTH) refuse(path, `it is nested deeper than ${MAX_DEPTH} levels`)
  budget.nodes += 1
  if (budget.nodes > MAX_NODES) refuse(path, `it has more than ${MAX_NODES} parts`)
  if (!isObject(value)) refuse(path, 'there is no node')

  const type = value['type']
  if (!isNodeName(type)) refuse(path, `“${String(type).slice(0, 40)}” is not a kind of text we keep`)
  if (type === 'text') return readText(value, path, budget)

  const attrs = readAttrs(NODES[type].attrs, value['attrs'], path)
  const content = readContent(value['content'], type, { path, depth, budget })
  return { type, ...(attrs && { attrs }), ...(content && { content }) }
}

type Place = { readonly path: string; readonly depth: number; readonly budget: Budget }

function readContent(value: unknown, parent: NodeName, place: Place): readonly RichNode[] | undefined {
  const rule = NODES[parent]
  const items = value === undefined || value === null ? [] : value
  if (!Array.isArray(items)) refuse(place.path, 'its content is not a list')
  if (items.length < rule.fewest) refuse(place.path, `a ${parent} must hold something`)

  const content = items.map((item, at) => {
    const path = `${place.path} › ${parent} ${at + 1}`
    const node = readNode(item, path, place.depth + 1, place.budget)
    if (!rule.content.includes(node.type)) refuse(path, `a ${node.type} may not stand in a ${parent}`)
    return node
  })
  return content.length > 0 ? content : undefined
}

function readText(value: { readonly [key: string]: unknown }, path: string, budget: Budget): RichNode {
  const text = value['text']
  if (typeof text !== 'string' || text === '') refuse(path, 'a piece of text is empty')
  if (text.includes('\0')) refuse(path, 'it holds a character that cannot be stored (code 0)')
  budget.characters += text.length
  if (budget.characters > MAX_CHARACTERS) refuse(path, `it has more than ${MAX_CHARACTERS} characters`)

  const marks = readMarks(value['marks'], path)
  return { type: 'text', ...(marks && { marks }), text: text.toWellFormed() }
}

function readMarks(value: unknown, path: string): readonly RichMark[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) refuse(path, 'its marks are not a list')

  const marks = new Map<MarkName, RichMark>()
  for (const item of value) {
    const type: unknown = isObject(item) ? item['type'] : undefined
    if (!isObject(item) || !isMarkName(type)) refuse(path, 'it has a mark we do not keep')
    const attrs = readAttrs(MARKS[type], item['attrs'], path)
    marks.set(type, { type, ...(attrs && { attrs }) })
  }
  return marks.size > 0 ? [...marks.values()] : undefined
}

function readAttrs(
  rules: (typeof MARKS)[MarkName],
  value: unknown,
  path: string,
): RichAttrs | undefined {
  const given = isObject(value) ? value : {}
  const attrs: { [name: string]: string | number } = {}
  for (const [name, rule] of Object.entries(rules)) {
    const wanted = given[name] ?? rule.fallback
    if (!rule.accepts(wanted)) refuse(path, `its ${name} “${String(wanted).slice(0, 60)}” is not allowed`)
    if (wanted !== rule.fallback && (typeof wanted === 'string' || typeof wanted === 'number')) attrs[name] = wanted
  }
  return Object.keys(attrs).length > 0 ? attrs : undefined
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNodeName = (value: unknown): value is NodeName => typeof value === 'string' && Object.hasOwn(NODES, value)

const isMarkName = (value: unknown): value is MarkName => typeof value === 'string' && Object.hasOwn(MARKS, value)
