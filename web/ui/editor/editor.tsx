import { Input, ActionIcon } from '@mantine/core'
import { type Editor as TiptapEditor, EditorContent } from '@tiptap/react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import '../document/document.css'
import { EmbedContext } from '#web/ui/document/embeds.tsx'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import './editor.css'
import { type EditorEmbeds, UploadView } from './embeds/editor-embeds.ts'
import { FindPanel } from './find/find.tsx'
import { LinkPanel } from './toolbar/link-tool.tsx'
import { SuggestionList } from './suggestions/suggestion-list.tsx'
import { type SuggestionStore, createSuggestionStore } from './suggestions/suggestions.ts'
import { EditorToolbar, LinkBar, SelectionBar } from './toolbar/toolbar.tsx'
import { type EditorProps, useFieldEditor, useTextLength } from './use-field-editor.ts'
import { IconKeyboard } from '#web/ui/icons/frame.ts'
import { IconMaximize, IconMinimize } from '#web/ui/icons/editor.ts'
import { IconSearch } from '#web/ui/icons/start.ts'
import type { Tool } from './toolbar/toolbar-tools.ts'
import { useClickOutside } from '@mantine/hooks'
import { IconX } from '#web/ui/icons/later.ts'
import { ShortcutHint } from '#web/ui/shortcuts/shortcuts.tsx'
import { EDITOR_KEYS } from './editor-key-list.ts'

type OwnTool = 'link' | 'find' | 'keys' | 'fullScreen' | 'toToolbar'

const TEXTS = UI_TEXTS.editor

type Pressed = {
  readonly key: string
  readonly metaKey: boolean
  readonly ctrlKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

const BY_KEYS: Readonly<Record<string, OwnTool>> = {
  'Mod+k': 'link',
  'Mod+f': 'find',
  'Mod+/': 'keys',
  'Mod+Shift+f': 'fullScreen',
  'Alt+F10': 'toToolbar',
}

function keyPressed({ key, metaKey, ctrlKey, shiftKey, altKey }: Pressed): OwnTool | undefined {
  const held = [(metaKey || ctrlKey) && 'Mod', shiftKey && 'Shift', altKey && 'Alt'].filter(Boolean)
  return BY_KEYS[[...held, key.length === 1 ? key.toLowerCase() : key].join('+')]
}

const ownTools = (run: (tool: OwnTool) => void, isFull: boolean): readonly Tool[] => [
  { name: 'find', label: TEXTS.find, icon: IconSearch, keys: 'Mod+F', use: () => run('find') },
  {
    name: 'full-screen',
    label: isFull ? TEXTS.leaveFullScreen : TEXTS.fullScreen,
    icon: isFull ? IconMinimize : IconMaximize,
    keys: 'Mod+Shift+F',
    use: (editor) => {
      run('fullScreen')
      editor.commands.focus()
    },
  },
  { name: 'keys', label: TEXTS.shortcuts, icon: IconKeyboard, keys: 'Mod+/', use: () => run('keys') },
]

/** An element's ancestors, innermost first, excluding the body, which contains menus and notifications. */
function framesOf(element: Element): Element[] {
  const frames: Element[] = []
  for (let frame = element.parentElement; frame && frame !== document.body; frame = frame.parentElement) {
    frames.push(frame)
  }
  return frames
}

/** Makes everything outside the element inert, including elements added later; returns a function that reverts it. */
function makeOutsideInert(element: HTMLElement): () => void {
  const frames = framesOf(element)
  const quiet = new Set<Element>()
  const quietAll = () => {
    for (const beside of frames.flatMap((frame) => [...frame.children])) {
      if (beside.contains(element) || beside.hasAttribute('inert')) continue
      beside.setAttribute('inert', '')
      quiet.add(beside)
    }
  }
  quietAll()
  const comings = new MutationObserver(quietAll)
  for (const frame of frames) comings.observe(frame, { childList: true })
  document.documentElement.classList.add('has-full-screen')
  return () => {
    comings.disconnect()
    for (const each of quiet) each.removeAttribute('inert')
    document.documentElement.classList.remove('has-full-screen')
  }
}

function useFullScreen(frame: RefObject<HTMLElement | null>) {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    if (!isFull || !frame.current) return undefined
    return makeOutsideInert(frame.current)
  }, [isFull, frame])
  return { isFull, setFull }
}

type Open = 'link' | 'find' | 'keys' | undefined

/** The document editor. Load it through `LazyEditor`, because it is the largest component and readers don't need it. */
export function Editor(props: EditorProps) {
  const { label, description, error, required = false } = props
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const suggestions = useMemo(createSuggestionStore, [])
  const editor = useFieldEditor(props, id, suggestions)
  const { open, setOpen, isFull, run, noteKey, pressKey } = useOwnTools(editor, frame, suggestions)
  const tools = useMemo(() => ownTools(run, isFull), [run, isFull])
  const link = { isLinkOpen: open === 'link', onLinkOpen: (isOpen: boolean) => setOpen(isOpen ? 'link' : undefined) }
  const close = () => setOpen(undefined)

  return (
    <Input.Wrapper
      id={id}
      label={label}
      labelElement="div"
      labelProps={{ onClick: () => editor.commands.focus() }}
      description={description}
      error={error}
      required={required}
    >
      <div
        ref={frame}
        className="editor"
        role="presentation"
        data-error={Boolean(error) || undefined}
        data-full={isFull || undefined}
        onKeyDownCapture={noteKey}
        onKeyDown={pressKey}
      >
        <EditorToolbar
          editor={editor}
          label={label}
          ownTools={tools}
          {...link}
          leaving={isFull ? tools.find(({ name }) => name === 'full-screen') : undefined}
        />
        {open === 'link' && <LinkPanel editor={editor} onClose={close} />}
        {open === 'find' && <FindPanel editor={editor} onClose={close} />}
        {open === 'keys' && <KeyList onClose={() => editor.commands.focus() && close()} />}
        <EmbedsOf inside={props.inside}>
          <EditorContent editor={editor} className="editor-content" />
        </EmbedsOf>
        <SelectionBar editor={editor} frame={frame} {...link} />
        <LinkBar editor={editor} frame={frame} {...link} />
        <SuggestionList editor={editor} store={suggestions} />
        <Length editor={editor} />
        <div id={`${id}-leave`} className="visually-hidden">
          {UI_TEXTS.editor.leave}
        </div>
      </div>
    </Input.Wrapper>
  )
}

function EmbedsOf({ inside, children }: { inside: EditorEmbeds | undefined; children: ReactNode }) {
  if (!inside) return children
  return (
    <EmbedContext value={inside}>
      <UploadView value={inside.drawUpload}>{children}</UploadView>
    </EmbedContext>
  )
}

function useOwnTools(editor: TiptapEditor, frame: RefObject<HTMLElement | null>, suggestions: SuggestionStore) {
  const [open, setOpen] = useState<Open>()
  const { isFull, setFull } = useFullScreen(frame)

  const run = useMemo(
    () => (tool: OwnTool) => {
      // Rendered synchronously, because the next key press must reach the opened element.
      if (tool === 'fullScreen') setFull((now) => !now)
      else if (tool === 'toToolbar') frame.current?.querySelector<HTMLElement>(NEAREST_TOOLBAR)?.focus()
      else flushSync(() => setOpen(tool))
    },
    [frame, setFull],
  )

  // When the frame receives Escape, the list is already closed.
  const closesList = useRef(false)
  const noteKey = () => {
    closesList.current = suggestions.get() !== undefined
  }

  const pressKey = (event: KeyboardEvent) => {
    // Menus are rendered outside the frame and handle their own keys.
    if (!frame.current?.contains(event.target as Element)) return
    const tool = keyPressed(event)
    const isEscape = event.key === 'Escape' && !closesList.current
    const isInToolbar = event.target instanceof Element && event.target.closest('[role="toolbar"]') !== null
    if (tool === undefined && !(isEscape && (isFull || isInToolbar))) return
    event.preventDefault()
    event.stopPropagation()
    if (tool !== undefined) run(tool)
    else if (isInToolbar) editor.commands.focus()
    else setFull(false)
  }
  return { open, setOpen, isFull, run, noteKey, pressKey }
}

const NEAREST_TOOLBAR =
  '.editor:has(.editor-bubble) .editor-bubble [tabindex="0"], .editor:not(:has(.editor-bubble)) [role="toolbar"] [tabindex="0"]'

function Length({ editor }: { editor: TiptapEditor }) {
  const { words, characters } = useTextLength(editor)
  return <div className="editor-length">{characters > 0 && UI_TEXTS.editor.length(words, characters)}</div>
}

export function KeyList({ onClose }: { onClose: () => void }) {
  const panel = useClickOutside<HTMLDivElement>(onClose)
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => close.current?.focus(), [])
  return (
    <div
      ref={panel}
      className="editor-keys"
      role="dialog"
      aria-label={TEXTS.shortcuts}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className="editor-keys-head">
        <strong>{TEXTS.shortcuts}</strong>
        <ActionIcon ref={close} size="sm" aria-label={UI_TEXTS.close} onClick={onClose}>
          <IconX size={16} stroke={1.5} aria-hidden />
        </ActionIcon>
      </div>
      <dl>
        {EDITOR_KEYS.map(([label, keys]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span className="visually-hidden">{keys}</span>
              <ShortcutHint keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
      <p>{TEXTS.typed}</p>
    </div>
  )
}
