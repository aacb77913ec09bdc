import { Node } from '@tiptap/core'
import { type NodeViewProps, NodeViewWrapper, ReactNodeViewRenderer } from '@tiptap/react'
import {
  EmbeddedMention,
  mentionIn,
  EmbedContext,
  EmbeddedFileCard,
  EmbeddedImage,
  PICTURE_WIDTHS,
  pictureIn,
  uploadIdOf,
  WHOLE_WIDTH,
} from '#web/ui/document/embeds.tsx'
import { type KeyboardEvent, useContext, useEffect, useRef, useState } from 'react'
import { UploadView } from './editor-embeds.ts'
import { NESTED } from '#web/ui/editor/nodes/list-nodes.ts'
import { SegmentedControl, TextInput } from '@mantine/core'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

const plain = (name: string) => ({
  rendered: false,
  parseHTML: (element: HTMLElement) => element.dataset[name] ?? null,
})

export const MentionChip = Node.create({
  name: 'mention',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    kind: { default: 'user', ...plain('mention') },
    id: { default: '', ...plain('id') },
    collection: { default: null, ...plain('collection') },
  }),
  parseHTML: () => [
    { tag: 'span[data-mention]', getAttrs: (element) => (mentionIn(idsOf(element)) === undefined ? false : null) },
  ],
  renderHTML: ({ node: { attrs } }) => [
    'span',
    {
      'data-mention': attrs['kind'],
      'data-id': attrs['id'],
      ...(attrs['collection'] !== null && { 'data-collection': attrs['collection'] }),
    },
    '@',
  ],
  addNodeView: () => ReactNodeViewRenderer(MentionView, { as: 'span' }),
})

const idsOf = ({ dataset }: HTMLElement) => ({
  kind: dataset['mention'] ?? '',
  id: dataset['id'] ?? '',
  ...(dataset['collection'] !== undefined && { collection: dataset['collection'] }),
})

function MentionView({ node, selected }: NodeViewProps) {
  const mention = mentionIn(node.attrs)
  return (
    <NodeViewWrapper as="span" className="editor-mention" data-chosen={selected || undefined}>
      {mention && <EmbeddedMention mention={mention} isEdited />}
    </NodeViewWrapper>
  )
}

const TEXTS = UI_TEXTS.inside

function ImageView({ node, editor, selected, getPos, updateAttributes }: NodeViewProps) {
  const { file, alt, width } = pictureIn(node.attrs)
  const tools = useRef<HTMLDivElement>(null)
  const [isHeld, setHeld] = useState(false)

  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    const at = getPos()
    if (at !== undefined) editor.chain().focus().setNodeSelection(at).run()
  }

  useEffect(() => {
    if (!selected) return undefined
    // If the image is selected, Enter moves focus to its tools.
    const enter = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Enter' || event.target !== editor.view.dom) return
      event.preventDefault()
      event.stopPropagation()
      tools.current?.querySelector<HTMLElement>('input')?.focus()
    }
    const { dom } = editor.view
    dom.addEventListener('keydown', enter, { capture: true })
    return () => dom.removeEventListener('keydown', enter, { capture: true })
  }, [selected, editor])

  return (
    <NodeViewWrapper className="editor-inside" data-chosen={selected || undefined}>
      <div data-drag-handle>
        <EmbeddedImage file={file} alt={alt} width={width} isEdited={editor.isEditable} />
      </div>
      {editor.isEditable && (selected || isHeld) && (
        <div
          ref={tools}
          className="editor-picture-tools"
          role="group"
          aria-label={TEXTS.tools}
          contentEditable={false}
          onKeyDown={leave}
          onFocus={() => setHeld(true)}
          onBlur={({ currentTarget, relatedTarget }) => setHeld(currentTarget.contains(relatedTarget))}
        >
          <TextInput
            size="xs"
            aria-label={TEXTS.alt}
            placeholder={TEXTS.alt}
            maxLength={1000}
            value={alt}
            onChange={({ currentTarget }) => updateAttributes({ alt: currentTarget.value })}
          />
          <SegmentedControl
            size="xs"
            aria-label={TEXTS.width}
            value={String(width)}
            data={PICTURE_WIDTHS.map((each) => ({ value: String(each), label: TEXTS.percent(each) }))}
            onChange={(value) => updateAttributes({ width: Number(value) })}
          />
          <PreviewButton file={file} />
        </div>
      )}
    </NodeViewWrapper>
  )
}

function PreviewButton({ file }: { readonly file: string }) {
  const { lookAt } = useContext(EmbedContext)
  return (
    <button type="button" className="editor-picture-look" onClick={() => lookAt(file)}>
      {TEXTS.open}
    </button>
  )
}

const ID = /^[0-9a-hjkmnp-tv-z]{26}$/
const MAX_ALT_LENGTH = 1000

const fileOf = (element: HTMLElement): string => element.dataset['file'] ?? ''
const isFile = (element: HTMLElement) => (ID.test(fileOf(element)) ? null : false)
const address = (file: unknown): string => `/api/files/${String(file)}`

const FILE_ATTRIBUTE = { default: '', rendered: false, parseHTML: fileOf }

/** An image on its own line. Only files stored in Dossier are allowed; other URLs are dropped. */
export const ImageBlock = Node.create({
  name: 'image',
  group: NESTED,
  atom: true,
  draggable: true,
  addAttributes: () => ({
    file: FILE_ATTRIBUTE,
    alt: { default: '', parseHTML: (element) => (element.getAttribute('alt') ?? '').slice(0, MAX_ALT_LENGTH) },
    width: { default: WHOLE_WIDTH, rendered: false, parseHTML: widthOf },
  }),
  parseHTML: () => [{ tag: 'img[data-file]', getAttrs: isFile }],
  renderHTML: ({ node: { attrs }, HTMLAttributes }) => [
    'img',
    { ...HTMLAttributes, 'data-file': attrs['file'], 'data-width': attrs['width'], src: address(attrs['file']) },
  ],
  addNodeView: () => ReactNodeViewRenderer(ImageView),
})

function widthOf(element: HTMLElement): number {
  const width = Number(element.dataset['width'])
  return PICTURE_WIDTHS.find((known) => known === width) ?? WHOLE_WIDTH
}

export const FileBlock = Node.create({
  name: 'file',
  group: NESTED,
  atom: true,
  draggable: true,
  addAttributes: () => ({ file: FILE_ATTRIBUTE }),
  parseHTML: () => [{ tag: 'a[data-file]', getAttrs: isFile }],
  renderHTML: ({ node: { attrs } }) => [
    'a',
    { 'data-file': attrs['file'], href: address(attrs['file']) },
    String(attrs['file']),
  ],
  addNodeView: () => ReactNodeViewRenderer(FileView),
})

function FileView({ node, selected }: NodeViewProps) {
  const draw = useContext(UploadView)
  const { file } = pictureIn(node.attrs)
  const mark = uploadIdOf(file)
  return (
    <NodeViewWrapper className="editor-inside" data-chosen={selected || undefined} data-drag-handle>
      {mark === undefined ? <EmbeddedFileCard file={file} /> : <div className="inside-upload">{draw(mark)}</div>}
    </NodeViewWrapper>
  )
}
