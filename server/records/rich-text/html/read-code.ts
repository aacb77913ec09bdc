import { isLanguage, type RichNode } from '#domain/rich-text/document-schema.ts'
import { attributeOf, MAX_HTML_DEPTH, type HtmlElement, type HtmlNode, isElement } from './html-elements.ts'

/** Code as it stands in `<pre>`, with the language it says it is in; undefined when it is nested too deeply. */
export function readCode(pre: HtmlElement): RichNode | undefined {
  const text = textOf(pre.childNodes, 0)
  if (text === undefined) return undefined
  const language = [pre, ...pre.childNodes.filter(isElement)].map(languageOf).find((each) => each !== undefined)
  // The last line of code ends like the others.
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  return {
    type: 'codeBlock',
    ...(language !== undefined && { attrs: { language } }),
    ...(lines !== '' && { content: [{ type: 'text', text: lines }] }),
  }
}

function textOf(nodes: readonly HtmlNode[], depth: number): string | undefined {
  if (depth > MAX_HTML_DEPTH) return undefined
  let text = ''
  for (const node of nodes) {
    const part = partOf(node, depth)
    if (part === undefined) return undefined
    text += part
  }
  return text
}

function partOf(node: HtmlNode, depth: number): string | undefined {
  if ('value' in node) return node.value
  if (!isElement(node)) return ''
  if (node.tagName === 'br') return '\n'
  return node.tagName === 'script' || node.tagName === 'style' ? '' : textOf(node.childNodes, depth + 1)
}

function languageOf(element: HtmlElement): string | undefined {
  const classes = attributeOf(element, 'class') ?? ''
  const named = attributeOf(element, 'data-language') ?? /(?:^|\s)lang(?:uage)?-(\S+)/.exec(classes)?.[1]
  const language = named?.toLowerCase()
  return isLanguage(language) ? language : undefined
}
