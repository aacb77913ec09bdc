import { IMAGE_WIDTHS, type RichNode } from '#domain/rich-text/document-schema.ts'
import { fileAtAddress, mentionAtAddress } from '#domain/rich-text/api-links.ts'
import { ID_PATTERN } from '#domain/shared/ids.ts'
import { attributeOf, type HtmlElement } from './html-elements.ts'

/** Longest words kept in the place of a picture. */
const MAX_ALT = 1000

/** The picture of ours that an element shows. */
export function imageOf(element: HtmlElement): RichNode | undefined {
  const file = element.tagName === 'img' ? fileOf(element, 'src') : undefined
  if (file === undefined) return undefined
  return { type: 'image', attrs: { file, alt: altOf(element), ...widthOf(element) } }
}

/** How wide a picture is, where it says so in hundredths of its line. */
function widthOf(element: HtmlElement): { readonly width?: number } {
  const said = attributeOf(element, 'data-width') ?? /^(\d+)%$/.exec(attributeOf(element, 'width') ?? '')?.[1]
  const width = IMAGE_WIDTHS.find((known) => String(known) === said)
  return width === undefined ? {} : { width }
}

/** The words in the place of a picture. */
export const altOf = (element: HtmlElement): string =>
  (attributeOf(element, 'alt') ?? '').slice(0, MAX_ALT).replaceAll('\0', '')

/** The file of ours that an element stands for as a card. */
export function cardOf(element: HtmlElement): RichNode | undefined {
  const file = element.tagName === 'a' ? fileOf(element, 'href') : undefined
  return file === undefined ? undefined : { type: 'file', attrs: { file } }
}

/** Whom or what an element mentions: by its ids, or by an address of our API. */
export function mentionIn(element: HtmlElement): RichNode | undefined {
  const kind = attributeOf(element, 'data-mention')
  const [id, collection] = [idIn(element, 'data-id'), idIn(element, 'data-collection')]
  if (kind === 'user' && id !== undefined) return { type: 'mention', attrs: { kind, id } }
  if (kind === 'record' && id !== undefined && collection !== undefined)
    return { type: 'mention', attrs: { kind, id, collection } }
  const mentioned = element.tagName === 'a' ? mentionAtAddress(attributeOf(element, 'href') ?? '') : undefined
  return mentioned && { type: 'mention', attrs: mentioned }
}

const fileOf = (element: HtmlElement, address: 'src' | 'href'): string | undefined =>
  idIn(element, 'data-file') ?? fileAtAddress(attributeOf(element, address) ?? '')

function idIn(element: HtmlElement, name: string): string | undefined {
  const id = attributeOf(element, name)
  return id !== undefined && ID_PATTERN.test(id) ? id : undefined
}
