import { attributeOf, type HtmlElement, type HtmlNode, isElement } from './html-elements.ts'

/** A box stands no deeper in its item than this. */
const MAX_CHECKBOX_DEPTH = 4

/**
 * Whether an item of a list is a task, and done: as our own and Tiptap's HTML say it, as Google Docs does, or by a box
 * that stands before all of its words, as on GitHub. Undefined for an item like any other.
 */
export function readTaskState(item: HtmlElement): boolean | undefined {
  const said = attributeOf(item, 'data-checked') ?? ariaChecked(item)
  if (said !== undefined) return said !== 'false'
  const box = firstElement(item.childNodes, MAX_CHECKBOX_DEPTH)
  const isBox = box?.tagName === 'input' && attributeOf(box, 'type')?.toLowerCase() === 'checkbox'
  return isBox ? attributeOf(box, 'checked') !== undefined : undefined
}

const ariaChecked = (item: HtmlElement): string | undefined =>
  attributeOf(item, 'role') === 'checkbox' ? attributeOf(item, 'aria-checked') : undefined

/** The first element that holds nothing, if no words stand before it. */
function firstElement(nodes: readonly HtmlNode[], depth: number): HtmlElement | undefined {
  const first = nodes.find((node) => isElement(node) || ('value' in node && node.value.trim() !== ''))
  if (first === undefined || !isElement(first)) return undefined
  return first.childNodes.length === 0 || depth === 0 ? first : firstElement(first.childNodes, depth - 1)
}
