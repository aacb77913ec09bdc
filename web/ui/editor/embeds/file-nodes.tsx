import { Node } from '@tiptap/core'
import { type NodeViewProps, NodeViewWrapper, ReactNodeViewRenderer } from '@tiptap/react'
import { useContext } from 'react'
import { uploadIdOf, PICTURE_WIDTHS, WHOLE_WIDTH } from '#web/ui/document/embed-context.ts'
import { EmbeddedFileCard, pictureIn } from '#web/ui/document/embeds.tsx'
import { UploadView } from './editor-embeds.ts'
import { ImageView } from './image-view.tsx'
import { NESTED } from '#web/ui/editor/nodes/node-groups.ts'

const ID = /^[0-9a-hjkmnp-tv-z]{26}$/
const MAX_ALT_LENGTH = 1000

const fileOf = (element: HTMLElement): string => element.dataset['file'] ?? ''
const isFile = (element: HTMLElement) => (ID.test(fileOf(element)) ? null : false)
const address = (file: unknown): string => `/api/files/${String(file)}`

const FILE_ATTRIBUTE = { default: '', rendered: false, parseHTML: fileOf }

/** A picture that stands between lines. Only one of ours: any other address is not kept. */
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

/** A file between lines, and what stands in its place while it is on its way. */
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
