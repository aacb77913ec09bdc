import { SegmentedControl, TextInput } from '@mantine/core'
import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { type KeyboardEvent, useContext, useEffect, useRef, useState } from 'react'
import { EmbedContext, PICTURE_WIDTHS } from '#web/ui/document/embed-context.ts'
import { EmbeddedImage, pictureIn } from '#web/ui/document/embeds.tsx'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

const TEXTS = UI_TEXTS.inside

/** A picture while its text is written: chosen, it says how wide it is and what it shows. */
export function ImageView({ node, editor, selected, getPos, updateAttributes }: NodeViewProps) {
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
    // With the picture chosen, Enter goes on to its tools.
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
