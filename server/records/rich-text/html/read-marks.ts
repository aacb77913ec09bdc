import { isSafeLink, type MarkName, type RichMark } from '#domain/rich-text/document-schema.ts'
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

const MARK_OF: ReadonlyMap<string, MarkName> = new Map([
  ['b', 'bold'],
  ['strong', 'bold'],
  ['i', 'italic'],
  ['em', 'italic'],
  ['cite', 'italic'],
  ['dfn', 'italic'],
  ['var', 'italic'],
  ['u', 'underline'],
  ['ins', 'underline'],
  ['s', 'strike'],
  ['del', 'strike'],
  ['strike', 'strike'],
  ['code', 'code'],
  ['kbd', 'code'],
  ['samp', 'code'],
  ['tt', 'code'],
])

const MARK_STYLES: readonly (readonly [MarkName, RegExp])[] = [
  ['bold', /(?:^|;)\s*font-weight\s*:\s*(?:bold|bolder|[6-9]00)\b/i],
  ['italic', /(?:^|;)\s*font-style\s*:\s*(?:italic|oblique)\b/i],
  ['underline', /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*\bunderline\b/i],
  ['strike', /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*\bline-through\b/i],
]

const isLight = (style: string): boolean => /(?:^|;)\s*font-weight\s*:\s*(?:normal|lighter|[1-5]00)\b/i.test(style)

/** The marks of what stands inside an element: by its name, and by its style as programs write it for the clipboard. */
export function marksInside(element: HtmlElement, marks: readonly RichMark[]): readonly RichMark[] {
  const style = attributeOf(element, 'style') ?? ''
  const named = MARK_OF.get(element.tagName)
  const own: RichMark[] = [
    // Google Docs puts everything into a bold that it takes back at once.
    ...(named && !(named === 'bold' && isLight(style)) ? [{ type: named }] : []),
    ...MARK_STYLES.flatMap(([type, sign]) => (sign.test(style) && type !== named ? [{ type }] : [])),
    ...(element.tagName === 'a' ? linkTo(attributeOf(element, 'href') ?? '') : []),
  ]
  return own.length === 0 ? marks : withMarks(marks, own)
}

/** Marks with others, of which there is one of each kind: the inner. */
export const withMarks = (marks: readonly RichMark[], inner: readonly RichMark[]): readonly RichMark[] => [
  ...marks.filter(({ type }) => inner.every((mark) => mark.type !== type)),
  ...inner,
]

/** The mark of a link, where the address may be followed. */
export function linkTo(address: string): readonly RichMark[] {
  const href = address.trim()
  return isSafeLink(href) ? [{ type: 'link', attrs: { href } }] : []
}
