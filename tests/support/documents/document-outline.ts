type ShapedNode = {
  readonly type: string
  readonly text?: string
  readonly attrs?: { readonly [name: string]: unknown }
  readonly marks?: readonly { readonly type: string }[]
  readonly content?: readonly ShapedNode[]
}

/**
 * A kept document as a text that can be read at a glance: one block a line, what is inside further in, and marks in
 * front of their words. Only for comparing.
 */
export function outlineOf(document: unknown): string {
  // What a test was answered.
  const { content = [] } = document as ShapedNode
  return content.map((node) => shape(node, '')).join('\n')
}

function shape(node: ShapedNode, margin: string): string {
  const { type, attrs, content = [] } = node
  const name = [type, ...Object.entries(attrs ?? {}).map(([key, value]) => `${key}=${String(value)}`)].join(' ')
  const isLine = content.every((child) => child.type === 'text' || child.type === 'hardBreak')
  if (content.length === 0) return margin + name
  if (isLine) return `${margin}${name}: ${content.map(run).join('')}`
  return [margin + name, ...content.map((child) => shape(child, `${margin}  `))].join('\n')
}

function run({ text = '↵', marks = [] }: ShapedNode): string {
  const names = marks.map(({ type }) => type).toSorted()
  return names.length === 0 ? text : `${names.join('+')}[${text}]`
}
