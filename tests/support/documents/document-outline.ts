type ShapedNode = {
  readonly type: string
  readonly text?: string
  readonly attrs?: { readonly [name: string]: unknown }
  readonly marks?: readonly { readonly type: string }[]
  readonly content?: readonly ShapedNode[]
}

/**
 * Formats a stored document as readable text for comparisons: one block per line, indented, with marks before the
 * marked text.
 */
export function outlineOf(document: unknown): string {
  // API responses are untyped here.
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
