import { ActionIcon, Button, Popover, TextInput, Toolbar, Tooltip } from '@mantine/core'
import { IconLink, IconUnlink } from '@tabler/icons-react'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { type KeyboardEvent, useState } from 'react'
import { KIT_TEXTS } from '../kit-texts.ts'
import { linkAddress } from '../link-address.ts'
import { ariaShortcut } from '../shortcut-hint.tsx'
import { currentLink, removeLink, saveLink, suggestedAddress } from './link-commands.ts'

/** The link button with the small form it opens; the form belongs to this editor alone. */
export function LinkTool(props: { editor: Editor; isOpen: boolean; onOpen: (isOpen: boolean) => void }) {
  const { editor, isOpen, onOpen } = props
  const isOn = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('link') })

  const close = () => {
    onOpen(false)
    editor.commands.focus()
  }

  return (
    <Popover
      opened={isOpen}
      onDismiss={() => onOpen(false)}
      position="bottom-start"
      trapFocus
      withinPortal
      keepMounted={false}
    >
      <Popover.Target>
        <Toolbar.Toggle
          active={isOn}
          aria-label={KIT_TEXTS.editor.link}
          aria-keyshortcuts={ariaShortcut('Mod+K')}
          title={KIT_TEXTS.editor.link}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onOpen(!isOpen)}
        >
          <IconLink size={18} stroke={1.5} aria-hidden />
        </Toolbar.Toggle>
      </Popover.Target>
      <Popover.Dropdown className="editor-link" aria-label={KIT_TEXTS.editor.link}>
        <LinkForm editor={editor} onDone={close} />
      </Popover.Dropdown>
    </Popover>
  )
}

function LinkForm({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const [typed, setTyped] = useState(() => suggestedAddress(editor))
  const [isRefused, setRefused] = useState(false)
  const isLinked = currentLink(editor) !== undefined

  const save = () => {
    if (typed.trim() === '' && isLinked) return remove()
    const address = linkAddress(typed)
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
    // The form around the editor must neither be sent nor closed by these.
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter') save()
    else onDone()
  }

  return (
    <>
      <TextInput
        label={KIT_TEXTS.editor.linkAddress}
        placeholder={KIT_TEXTS.editor.linkPlaceholder}
        inputMode="url"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        data-autofocus
        value={typed}
        error={isRefused && KIT_TEXTS.editor.linkRefused}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setRefused(false)
        }}
        onKeyDown={pressKey}
      />
      <div className="editor-link-actions">
        <Button variant="filled" size="xs" onClick={save}>
          {KIT_TEXTS.editor.linkSave}
        </Button>
        {isLinked && (
          <Tooltip label={KIT_TEXTS.editor.linkRemove}>
            <ActionIcon size="sm" aria-label={KIT_TEXTS.editor.linkRemove} onClick={remove}>
              <IconUnlink size={16} stroke={1.5} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </>
  )
}
