import { Node } from '@tiptap/core'
import { type NodeViewProps, NodeViewWrapper, ReactNodeViewRenderer } from '@tiptap/react'
import { EmbeddedMention, mentionIn } from '#web/ui/document/embeds.tsx'

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
