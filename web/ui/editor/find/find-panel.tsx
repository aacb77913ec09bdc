import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { IconChevronDown } from '#web/ui/icons/frame.ts'
import { IconChevronUp, IconLetterCase } from '#web/ui/icons/editor.ts'
import { IconX } from '#web/ui/icons/general.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { ariaShortcut } from '#web/ui/shortcuts/shortcut-hint.tsx'
import { endSearch, findingIn, replaceActive, replaceAll, search, step } from './find.ts'
import './find-panel.css'

const TEXTS = UI_TEXTS.editor.finding

/** Looks for words in the text, and puts others in their place. */
export function FindPanel({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const [words, setWords] = useState(() => selectedWords(editor))
  const [isCaseKept, setCaseKept] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const finding = useEditorState({ editor, selector: ({ editor: now }) => findingIn(now.state) })

  useLayoutEffect(() => input.current?.select(), [])
  useEffect(() => search(editor, { words, isCaseKept }), [editor, words, isCaseKept])

  const close = () => {
    endSearch(editor)
    onClose()
  }
  const pressKey = (event: KeyboardEvent) => {
    const isAgain = event.key.toLowerCase() === 'f' && (event.metaKey || event.ctrlKey) && !event.shiftKey
    if (event.key === 'Escape') close()
    else if (isAgain) input.current?.select()
    else return
    // The form around the editor must not be closed by these, nor the browser search the page.
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="editor-find" role="search" aria-label={UI_TEXTS.editor.find} onKeyDown={pressKey}>
      <div className="editor-find-line">
        <TextInput
          ref={input}
          size="xs"
          aria-label={TEXTS.find}
          placeholder={TEXTS.find}
          value={words}
          rightSection={<FoundCount count={finding.matches.length} at={finding.active} isAsked={words !== ''} />}
          rightSectionWidth={76}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={onEnter(({ shiftKey }) => step(editor, shiftKey ? -1 : 1))}
        />
        <IconTool label={TEXTS.previous} icon={IconChevronUp} keys="Shift+Enter" onUse={() => step(editor, -1)} />
        <IconTool label={TEXTS.next} icon={IconChevronDown} keys="Enter" onUse={() => step(editor, 1)} />
        <IconTool
          label={TEXTS.keepCase}
          icon={IconLetterCase}
          isOn={isCaseKept}
          onUse={() => setCaseKept(!isCaseKept)}
        />
        <IconTool label={UI_TEXTS.close} icon={IconX} keys="Escape" onUse={close} />
      </div>
      <ReplaceRow editor={editor} isIdle={finding.matches.length === 0} />
    </div>
  )
}

function ReplaceRow({ editor, isIdle }: { editor: Editor; isIdle: boolean }) {
  const [other, setOther] = useState('')
  return (
    <div className="editor-find-line">
      <TextInput
        size="xs"
        aria-label={TEXTS.replaceBy}
        placeholder={TEXTS.replaceBy}
        value={other}
        onChange={(event) => setOther(event.currentTarget.value)}
        onKeyDown={onEnter(() => replaceActive(editor, other))}
      />
      <Button size="xs" disabled={isIdle} onClick={() => replaceActive(editor, other)}>
        {TEXTS.replace}
      </Button>
      <Button size="xs" disabled={isIdle} onClick={() => replaceAll(editor, other)}>
        {TEXTS.replaceAll}
      </Button>
    </div>
  )
}

const onEnter = (run: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  run(event)
}

/** Words one has selected in a line are what one looks for. */
function selectedWords(editor: Editor): string {
  const { from, to, $from, $to } = editor.state.selection
  return $from.sameParent($to) ? editor.state.doc.textBetween(from, to) : ''
}

function FoundCount({ count, at, isAsked }: { count: number; at: number; isAsked: boolean }) {
  const words = count === 0 ? TEXTS.none : TEXTS.place(at + 1, count)
  return (
    <span className="editor-find-count" role="status">
      {isAsked && words}
    </span>
  )
}

type IconToolProps = {
  readonly label: string
  readonly icon: Icon
  readonly keys?: string
  readonly isOn?: boolean
  readonly onUse: () => void
}

function IconTool({ label, icon: Face, keys, isOn, onUse }: IconToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size="md"
        aria-label={label}
        aria-keyshortcuts={keys && ariaShortcut(keys)}
        aria-pressed={isOn}
        data-on={isOn || undefined}
        onClick={onUse}
      >
        <Face size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
