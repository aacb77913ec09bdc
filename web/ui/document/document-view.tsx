import { Fragment, type ReactNode } from 'react'
import { EDITOR } from '#domain/specification.ts'
import './document.css'
import {
  type DocumentMark,
  type DocumentNode,
  EmbeddedFileCard,
  EmbeddedImage,
  EmbeddedMention,
  mentionIn,
  pictureIn,
  type RichTextDocument,
} from './embeds.tsx'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { isSafeUrl } from '#web/ui/text/link-url.ts'

/** Maximum nesting depth that is rendered, so that a crafted document can't overflow the stack. */
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
    case 'strike':
      return <s>{children}</s>
    case 'code':
      return <code>{children}</code>
    case 'link':
      return <SafeLink address={mark.attrs?.['href']}>{children}</SafeLink>
    // Ignores unknown marks but keeps their text.
    default:
      return children
  }
}

function SafeLink({ address, children }: { address: unknown; children: ReactNode }) {
  if (!isSafeUrl(address)) return children
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

function childrenOf(node: DocumentNode, depth: number): ReactNode {
  if (depth > DEEPEST || !node.content) return null
  // The index is a safe key, because stored nodes have no ID and a view is never edited.
  return node.content.map((child, at) => <Fragment key={at}>{drawn(child, depth + 1)}</Fragment>)
}

function lineOf(node: DocumentNode, depth: number): ReactNode {
  return node.content?.length ? childrenOf(node, depth) : <br />
}

function drawn(node: DocumentNode, depth: number): ReactNode {
  switch (node.type) {
    case 'text':
      return (node.marks ?? []).reduce<ReactNode>(withMark, node.text)
    case 'hardBreak':
      return <br />
    case 'mention': {
      const mention = mentionIn(node.attrs)
      return (node.marks ?? []).reduce<ReactNode>(withMark, mention && <EmbeddedMention mention={mention} />)
    }
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
    case 'taskList':
      return <ul data-type="taskList">{childrenOf(node, depth)}</ul>
    case 'taskItem':
      return <Task node={node}>{childrenOf(node, depth)}</Task>
    default:
      return blockOf(node, depth)
  }
}

function blockOf(node: DocumentNode, depth: number): ReactNode {
  switch (node.type) {
    case 'blockquote':
      return <blockquote>{childrenOf(node, depth)}</blockquote>
    case 'codeBlock':
      return <CodeLines>{childrenOf(node, depth)}</CodeLines>
    case 'horizontalRule':
      return <hr />
    case 'table':
      return <Table node={node} depth={depth} />
    case 'image':
      return <EmbeddedImage {...pictureIn(node.attrs)} />
    case 'file':
      return <EmbeddedFileCard file={pictureIn(node.attrs).file} />
    default:
      return childrenOf(node, depth)
  }
}

function Task({ node, children }: { node: DocumentNode; children: ReactNode }) {
  const isDone = node.attrs?.['checked'] === true
  return (
    <li data-checked={isDone} {...indentProps(node)}>
      <span className="document-box" role="img" aria-label={isDone ? UI_TEXTS.editor.isDone : UI_TEXTS.editor.isOpen} />
      <div>{children}</div>
    </li>
  )
}

/** A code block that can be scrolled horizontally, including with the keyboard. */
function CodeLines({ children }: { children: ReactNode }) {
  return (
    <pre tabIndex={0}>
      <code>{children}</code>
    </pre>
  )
}

function Table({ node, depth }: { node: DocumentNode; depth: number }) {
  return (
    <div className="document-table" role="region" aria-label={UI_TEXTS.editor.table} tabIndex={0}>
      <table>
        <tbody>
          {node.content?.map((row, at) => (
            <tr key={at}>
              {row.content?.map((cell, place) => {
                const Cell = cell.type === 'tableHeader' ? 'th' : 'td'
                return <Cell key={place}>{childrenOf(cell, depth + 2)}</Cell>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Renders a stored document without loading the editor. Validates every URL again before rendering it as a link. */
export function DocumentView({ document }: { document: RichTextDocument }) {
  return <div className="document">{childrenOf(document, 0)}</div>
}
