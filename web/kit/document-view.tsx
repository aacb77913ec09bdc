import { Fragment, type ReactNode } from 'react'
import { EDITOR } from '#domain/specification.ts'
import './document.css'
import type { DocumentMark, DocumentNode, RichTextDocument } from './document-node.ts'
import { isSafeAddress } from './link-address.ts'

/** Deepest nesting that is drawn; the server stores less, and a crafted document must not exhaust the stack. */
const DEEPEST = 60

const HEADINGS: Readonly<Record<number, 'h1' | 'h2' | 'h3'>> = { 1: 'h1', 2: 'h2', 3: 'h3' }

function integerOf(node: DocumentNode, name: string, from: number, to: number): number | undefined {
  const value = node.attrs?.[name]
  return typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to ? value : undefined
}

function indentProps(node: DocumentNode) {
  const indent = integerOf(node, 'indent', EDITOR.minIndent, EDITOR.maxIndent)
  return indent === undefined ? {} : { 'data-indent': indent }
}

function withMark(children: ReactNode, mark: DocumentMark): ReactNode {
  switch (mark.type) {
    case 'bold':
      return <strong>{children}</strong>
    case 'italic':
      return <em>{children}</em>
    case 'underline':
      return <u>{children}</u>
    case 'link':
      return <SafeLink address={mark.attrs?.['href']}>{children}</SafeLink>
    // A document from elsewhere may hold a mark that is not drawn here: its words stay.
    default:
      return children
  }
}

function SafeLink({ address, children }: { address: unknown; children: ReactNode }) {
  if (!isSafeAddress(address)) return children
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

function childrenOf(node: DocumentNode, depth: number): ReactNode {
  if (depth > DEEPEST || !node.content) return null
  // Nodes of a stored document have no identity but their place, and a view is never edited.
  return node.content.map((child, at) => <Fragment key={at}>{drawn(child, depth + 1)}</Fragment>)
}

function lineOf(node: DocumentNode, depth: number): ReactNode {
  // An empty line is as high as a line.
  return node.content?.length ? childrenOf(node, depth) : <br />
}

function drawn(node: DocumentNode, depth: number): ReactNode {
  switch (node.type) {
    case 'text':
      return (node.marks ?? []).reduce<ReactNode>(withMark, node.text)
    case 'hardBreak':
      return <br />
    case 'paragraph':
      return <p {...indentProps(node)}>{lineOf(node, depth)}</p>
    case 'heading': {
      const Heading = HEADINGS[integerOf(node, 'level', 1, 3) ?? 3] ?? 'h3'
      return <Heading {...indentProps(node)}>{lineOf(node, depth)}</Heading>
    }
    case 'bulletList':
      return <ul>{childrenOf(node, depth)}</ul>
    case 'orderedList':
      return <ol start={integerOf(node, 'start', 0, 1_000_000) ?? 1}>{childrenOf(node, depth)}</ol>
    case 'listItem':
      return <li {...indentProps(node)}>{childrenOf(node, depth)}</li>
    // `doc`, and whatever an older or newer version wrote: what is inside is drawn.
    default:
      return childrenOf(node, depth)
  }
}

/** Shows a stored document without loading the editor. Every address is asked again whether it may be followed. */
export function DocumentView({ document }: { document: RichTextDocument }) {
  return <div className="document">{childrenOf(document, 0)}</div>
}
