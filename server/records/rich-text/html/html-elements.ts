import type { DefaultTreeAdapterTypes } from 'parse5'

/** A node of HTML as parse5 makes it. */
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode
/** An element of HTML as parse5 makes it. */
export type HtmlElement = DefaultTreeAdapterTypes.Element

/** HTML is read no deeper than this; what an honest program writes is far from it. */
export const MAX_HTML_DEPTH = 256

/** The value of an attribute, if the element has it. */
export const attributeOf = ({ attrs }: HtmlElement, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value

/** Whether a node is an element. */
export const isElement = (node: HtmlNode): node is HtmlElement => 'tagName' in node

/** The elements inside a node that bear one of these names, not looking into those that were found or are not wanted. */
export function elementsIn(around: HtmlElement, wanted: readonly string[], through: readonly string[]): HtmlElement[] {
  return around.childNodes.filter(isElement).flatMap((element) => {
    if (wanted.includes(element.tagName)) return [element]
    return through.includes(element.tagName) ? elementsIn(element, wanted, through) : []
  })
}
