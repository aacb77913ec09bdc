import { isSafeLink, type MarkName, type RichMark } from '#domain/rich-text/document-schema.ts'
import type { DefaultTreeAdapterTypes } from 'parse5'

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode
export type HtmlElement = DefaultTreeAdapterTypes.Element

/** Maximum nesting depth; real documents are far below it. */
export const MAX_HTML_DEPTH = 256

export const attributeOf = ({ attrs }: HtmlElement, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value

export const isElement = (node: HtmlNode): node is HtmlElement => 'tagName' in node

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

export function marksInside(element: HtmlElement, marks: readonly RichMark[]): readonly RichMark[] {
  const style = attributeOf(element, 'style') ?? ''
  const named = MARK_OF.get(element.tagName)
  const own: RichMark[] = [
    // Google Docs wraps everything in a bold element that is styled as not bold.
    ...(named && !(named === 'bold' && isLight(style)) ? [{ type: named }] : []),
    ...MARK_STYLES.flatMap(([type, sign]) => (sign.test(style) && type !== named ? [{ type }] : [])),
    ...(element.tagName === 'a' ? linkTo(attributeOf(element, 'href') ?? '') : []),
  ]
  return own.length === 0 ? marks : withMarks(marks, own)
}

/** Merges marks, at most one of each type; the inner mark wins. */
export const withMarks = (marks: readonly RichMark[], inner: readonly RichMark[]): readonly RichMark[] => [
  ...marks.filter(({ type }) => inner.every((mark) => mark.type !== type)),
  ...inner,
]

export function linkTo(address: string): readonly RichMark[] {
  const href = address.trim()
  return isSafeLink(href) ? [{ type: 'link', attrs: { href } }] : []
}
