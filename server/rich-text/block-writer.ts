import type { RichAttrs, RichNode } from '#domain/rich-text/document-schema.ts'
import { lineWriter } from './line-writer.ts'

/** What a line becomes once something stands in it. */
type Line = { readonly block: 'paragraph' | 'heading'; readonly attrs: RichAttrs }
/** A list that begins. */
type List = { readonly type: 'bulletList' | 'orderedList'; readonly attrs?: RichAttrs }
type Open = {
  readonly node: 'doc' | List['type'] | 'listItem'
  readonly attrs?: RichAttrs
  readonly content: RichNode[]
}
/** Puts in what stands inside; false when it cannot be read. */
type Fill = () => boolean

const PLAIN: Line = { block: 'paragraph', attrs: {} }

/** Puts words, breaks and blocks, as they come, into the order that a document asks for. */
export class BlockWriter {
  readonly line = lineWriter()
  readonly #open: Open[] = [{ node: 'doc', content: [] }]
  #kind = PLAIN

  /** A block of its own. One that holds nothing at all is an empty line. */
  within(kind: Line, fill: Fill): boolean {
    this.#endLine()
    const outer = this.#kind
    const [depth, before] = [this.#open.length, this.#top().content.length]
    this.#kind = kind
    const isRead = fill()
    this.#endLine(this.#open.length === depth && this.#top().content.length === before)
    this.#kind = outer
    return isRead
  }

  list({ type, attrs }: List, fill: Fill): boolean {
    this.#endLine()
    const outer = this.#kind
    this.#kind = PLAIN
    const depth = this.#open.length
    if (this.#isInList()) this.#open.push(this.#itemBefore())
    const isRead = this.#filled({ node: type, ...(attrs && { attrs }), content: [] }, fill)
    this.#close(depth)
    this.#kind = outer
    return isRead
  }

  item(attrs: RichAttrs, fill: Fill): boolean {
    this.#endLine()
    const inside = (): boolean => this.#filled({ node: 'listItem', attrs, content: [] }, fill)
    return this.#isInList() ? inside() : this.#filled({ node: 'bulletList', content: [] }, inside)
  }

  /** The document, with everything closed that was left open. */
  finish(): RichNode {
    this.#close(1)
    const { content } = this.#top()
    return { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] }
  }

  #top(): Open {
    const top = this.#open.at(-1)
    if (!top) throw new Error('A document is written after its end')
    return top
  }

  #isInList(): boolean {
    return this.#top().node === 'bulletList' || this.#top().node === 'orderedList'
  }

  /** A list straight inside a list belongs to the item before it. */
  #itemBefore(): Open {
    const { attrs, content = [] } = this.#top().content.pop() ?? {}
    return { node: 'listItem', ...(attrs && { attrs }), content: [...content] }
  }

  /** A list holds items alone, an item paragraphs and lists alone; a heading stands by itself. */
  #endLine(isAskedFor = false): void {
    const content = this.line.take()
    if (content.length === 0 && !isAskedFor) return
    if (this.#isInList()) this.#open.push({ node: 'listItem', content: [] })
    const into = this.#top()
    const { level, ...attrs } = this.#kind.attrs
    const isHeading = level !== undefined && into.node === 'doc'
    into.content.push(isHeading ? nodeOf('heading', this.#kind.attrs, content) : nodeOf('paragraph', attrs, content))
  }

  /** Opens something, has it filled, and closes it with all that was left open inside. */
  #filled(next: Open, fill: Fill): boolean {
    const depth = this.#open.length
    this.#open.push(next)
    const isRead = fill()
    this.#close(depth)
    return isRead
  }

  #close(depth: number): void {
    this.#endLine()
    while (this.#open.length > depth) {
      const { node, attrs = {}, content } = this.#top()
      this.#open.pop()
      if (node === 'listItem' && content[0]?.type !== 'paragraph') content.unshift({ type: 'paragraph' })
      if (content.length > 0) this.#top().content.push(nodeOf(node, attrs, content))
    }
  }
}

const nodeOf = (type: RichNode['type'], attrs: RichAttrs, content: readonly RichNode[]): RichNode => ({
  type,
  ...(Object.keys(attrs).length > 0 && { attrs }),
  ...(content.length > 0 && { content }),
})
