import { ActionIcon, Button, TextInput, Toolbar, Tooltip } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { type Editor, getMarkRange } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { IconLink } from '#web/ui/icons/general.ts'
import { IconUnlink } from '#web/ui/icons/editor.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { linkUrl } from '#web/ui/text/link-url.ts'
import { ariaShortcut } from '#web/ui/shortcuts/shortcuts.tsx'
import { ToolTip } from './tool-buttons.tsx'

export function currentLink(editor: Editor): string | undefined {
  const href: unknown = editor.getAttributes('link')['href']
  return typeof href === 'string' ? href : undefined
}

function suggestedAddress(editor: Editor): string {
  const { from, to } = editor.state.selection
  return currentLink(editor) ?? linkUrl(editor.state.doc.textBetween(from, to, ' ')) ?? ''
}

/** Adds a link to the selection or changes the link at the caret; otherwise inserts the URL as linked text. */
function saveLink(editor: Editor, address: string): void {
  const { selection, schema } = editor.state
  const linkType = schema.marks['link']
  const range = linkType && getMarkRange(selection.$from, linkType)
  const chain = editor.chain().focus()

  if (selection.empty && !range) {
    chain
      .insertContent({ type: 'text', text: address, marks: [{ type: 'link', attrs: { href: address } }] })
      .unsetMark('link')
      .run()
    return
  }
  const { from, to } = selection
  chain.extendMarkRange('link').setMark('link', { href: address }).setTextSelection({ from, to }).run()
}

export function removeLink(editor: Editor): void {
  const { from, to } = editor.state.selection
  editor.chain().focus().extendMarkRange('link').unsetMark('link').setTextSelection({ from, to }).run()
}

export function LinkTool(props: { editor: Editor; isOpen: boolean; onOpen: (isOpen: boolean) => void }) {
  const { editor, isOpen, onOpen } = props
  const isOn = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('link') })

  return (
    <ToolTip label={UI_TEXTS.editor.link} keys="Mod+K">
      <Toolbar.Toggle
        active={isOn}
        aria-label={UI_TEXTS.editor.link}
        aria-keyshortcuts={ariaShortcut('Mod+K')}
        aria-expanded={isOpen}
        data-link-tool
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onOpen(!isOpen)}
      >
        <IconLink size={18} stroke={1.5} aria-hidden />
      </Toolbar.Toggle>
    </ToolTip>
  )
}

/** A form for the link URL. A popover would open with a delay, during which typing would replace the selection. */
export function LinkPanel({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  // The button closes the form itself; if this handler also closed it, the button would reopen it.
  const panel = useClickOutside<HTMLDivElement>((event) => {
    const isButton = event.target instanceof Element && event.target.closest('[data-link-tool]')
    if (!isButton) onClose()
  })

  return (
    <div ref={panel} className="editor-link" role="dialog" aria-label={UI_TEXTS.editor.link}>
      <LinkForm
        editor={editor}
        onDone={() => {
          onClose()
          editor.commands.focus()
        }}
      />
    </div>
  )
}

function LinkForm({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const [typed, setTyped] = useState(() => suggestedAddress(editor))
  const [isRefused, setRefused] = useState(false)
  const isLinked = currentLink(editor) !== undefined
  const input = useRef<HTMLInputElement>(null)

  useLayoutEffect(() => input.current?.select(), [])

  const save = () => {
    if (typed.trim() === '' && isLinked) return remove()
    const address = linkUrl(typed)
    if (address === undefined) return setRefused(true)
    saveLink(editor, address)
    onDone()
  }

  const remove = () => {
    removeLink(editor)
    onDone()
  }

  const pressKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    // Prevents the key from submitting or closing the surrounding form.
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter') save()
    else onDone()
  }

  return (
    <>
      <TextInput
        label={UI_TEXTS.editor.linkAddress}
        placeholder={UI_TEXTS.editor.linkPlaceholder}
        inputMode="url"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        ref={input}
        value={typed}
        error={isRefused && UI_TEXTS.editor.linkRefused}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setRefused(false)
        }}
        onKeyDown={pressKey}
      />
      <div className="editor-link-actions">
        <Button variant="filled" size="xs" onClick={save}>
          {UI_TEXTS.editor.linkSave}
        </Button>
        {isLinked && (
          <Tooltip label={UI_TEXTS.editor.linkRemove}>
            <ActionIcon size="sm" aria-label={UI_TEXTS.editor.linkRemove} onClick={remove}>
              <IconUnlink size={16} stroke={1.5} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </>
  )
}
