import {
  type NodeName,
  NODES,
  type RichAttrs,
  type RichMark,
  type RichNode,
} from '#domain/rich-text/document-schema.ts'

/** Collects the text, breaks and mentions of a line; white space collapses as in a browser. */
function createLineWriter() {
  let line: RichNode[] = []

  return {
    text: (text: string, marks: readonly RichMark[]): void => {
      const spaced = text.replace(/[ \t\r\n\f]+/g, ' ')
      const reported = isAfterSpace(line.at(-1)) ? spaced.replace(/^ /, '') : spaced
      if (reported !== '') line.push({ type: 'text', ...withMarks(marks), text: reported })
    },
    lineBreak: (): true => {
      line.push({ type: 'hardBreak' })
      return true
    },
    mention: (mention: RichNode, marks: readonly RichMark[]): true => {
      line.push({ ...mention, ...withMarks(marks) })
      return true
    },
    take: (): readonly RichNode[] => {
      const taken = line
      line = []
      trimEnd(taken)
      return taken
    },
  }
}

const withMarks = (marks: readonly RichMark[]): Pick<RichNode, 'marks'> => (marks.length > 0 ? { marks } : {})

const isAfterSpace = (last: RichNode | undefined): boolean =>
  last === undefined || last.type === 'hardBreak' || last.text?.endsWith(' ') === true

function trimEnd(line: RichNode[]): void {
  for (let last = line.pop(); last; last = line.pop()) {
    const text = last.text?.replace(/ $/, '')
    if (text === '') continue
    line.push(text === undefined ? last : { ...last, text })
    return
  }
}

type Line = { readonly block: 'paragraph' | 'heading'; readonly attrs: RichAttrs }
type List = { readonly type: ListName; readonly attrs?: RichAttrs }
type ListName = 'bulletList' | 'orderedList' | 'taskList'
type Open = {
  readonly node: NodeName
  readonly attrs?: RichAttrs
  readonly content: RichNode[]
}
type Fill = () => boolean

const PLAIN: Line = { block: 'paragraph', attrs: {} }
const ITEM_OF = { bulletList: 'listItem', orderedList: 'listItem', taskList: 'taskItem' } as const

/** Arranges text, breaks and blocks as the schema requires. */
export class BlockWriter {
  readonly line = createLineWriter()
  readonly #open: Open[]
  #kind = PLAIN

  constructor(whole: 'doc' | 'tableHeader' | 'tableCell') {
    this.#open = [{ node: whole, content: [] }]
  }

  within(kind: Line, fill: Fill): boolean {
    this.#endLine()
    const [depth, before] = [this.#open.length, this.#top().content.length]
    return this.#inLines(kind, () => {
      const isRead = fill()
      this.#endLine(this.#open.length === depth && this.#top().content.length === before)
      return isRead
    })
  }

  /** Writes a list or, where lists aren't allowed, the lines of its items. */
  list({ type, attrs }: List, fill: Fill): boolean {
    this.#endLine()
    const depth = this.#open.length
    if (this.#listName() !== undefined) this.#open.push(this.#itemBefore())
    const list: Open = { node: type, ...(attrs && { attrs }), content: [] }
    return this.#inLines(PLAIN, () => (this.takes(type) ? this.#filled(list, fill, depth) : fill()))
  }

  item(node: 'listItem' | 'taskItem', attrs: RichAttrs, fill: Fill): boolean {
    this.#endLine()
    const wanted = node === 'taskItem' ? 'taskList' : 'bulletList'
    const around = this.#listName()
    const inside = (): boolean => this.#filled({ node, attrs, content: [] }, fill)
    if (around === undefined) {
      if (!this.takes(wanted)) return this.within(PLAIN, fill)
      return this.#filled({ node: wanted, content: [] }, inside)
    }
    if (ITEM_OF[around] !== node) {
      this.#close(this.#open.length - 1)
      this.#open.push({ node: wanted, content: [] })
    }
    return inside()
  }

  /** Writes a quote or, where quotes aren't allowed, its lines. */
  quote(fill: Fill): boolean {
    this.#endLine()
    const depth = this.#open.length
    this.#beginItem()
    const quote: Open = { node: 'blockquote', content: [] }
    return this.#inLines(PLAIN, () => (this.takes('blockquote') ? this.#filled(quote, fill, depth) : fill()))
  }

  /** Writes a complete block; returns false if its type isn't allowed. */
  put(block: RichNode): boolean {
    this.#endLine()
    if (!this.takes(block.type)) return false
    const depth = this.#open.length
    this.#beginItem()
    this.#top().content.push(block)
    this.#close(depth)
    return true
  }

  takes(type: NodeName): boolean {
    const list = this.#listName()
    return NODES[list === undefined ? this.#top().node : ITEM_OF[list]].content.includes(type)
  }

  /** The result, with all open blocks closed. */
  finish(): RichNode {
    this.#close(1)
    const { node, content } = this.#top()
    return { type: node, content: content.length > 0 ? content : [{ type: 'paragraph' }] }
  }

  #top(): Open {
    const top = this.#open.at(-1)
    if (!top) throw new Error('Write after the end of the document')
    return top
  }

  #listName(): ListName | undefined {
    const { node } = this.#top()
    return node === 'bulletList' || node === 'orderedList' || node === 'taskList' ? node : undefined
  }

  #inLines(kind: Line, fill: Fill): boolean {
    const outer = this.#kind
    this.#kind = kind
    const isRead = fill()
    this.#kind = outer
    return isRead
  }

  #beginItem(): void {
    const list = this.#listName()
    if (list !== undefined) this.#open.push({ node: ITEM_OF[list], content: [] })
  }

  /** A list directly inside a list belongs to the previous item. */
  #itemBefore(): Open {
    const { type, attrs, content = [] } = this.#top().content.pop() ?? {}
    return { node: type ?? ITEM_OF[this.#listName() ?? 'bulletList'], ...(attrs && { attrs }), content: [...content] }
  }

  /** If headings are not allowed, a heading becomes a paragraph. */
  #endLine(isRequested = false): void {
    const content = this.line.take()
    if (content.length === 0 && !isRequested) return
    this.#beginItem()
    const { level, ...attrs } = this.#kind.attrs
    const isHeading = level !== undefined && this.takes('heading')
    const line = isHeading ? nodeOf('heading', this.#kind.attrs, content) : nodeOf('paragraph', attrs, content)
    this.#top().content.push(line)
  }

  #filled(next: Open, fill: Fill, depth = this.#open.length): boolean {
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
      const isItem = node === 'listItem' || node === 'taskItem'
      if (isItem && content[0]?.type !== 'paragraph') content.unshift({ type: 'paragraph' })
      if (content.length > 0) this.#top().content.push(nodeOf(node, attrs, content))
    }
  }
}

const nodeOf = (type: RichNode['type'], attrs: RichAttrs, content: readonly RichNode[]): RichNode => ({
  type,
  ...(Object.keys(attrs).length > 0 && { attrs }),
  ...(content.length > 0 && { content }),
})
