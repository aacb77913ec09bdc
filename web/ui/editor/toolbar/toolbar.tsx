import { Toolbar } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type Editor, getMarkRange, posToDOMRect } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IconDots, IconPlus } from '#web/ui/icons/frame.ts'
import { IconUnlink } from '#web/ui/icons/editor.ts'
import { IconTable } from '#web/ui/icons/general.ts'
import { IconExternalLink, IconPencil } from '#web/ui/icons/later.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import { useElementSize } from '#web/ui/browser/use-element-size.ts'
import { currentLink, LinkTool, removeLink } from './link-tool.tsx'
import { ICON_PX, ToolButton, ToolTip } from './tool-buttons.tsx'
import { BLOCK_TOOLS, INSERT_TABLE, TABLE_TOOLS, type Tool, TOOL_GROUPS } from './toolbar-tools.ts'
import { TextSelection } from '@tiptap/pm/state'

/** Gap in px between floating elements and both the text and the edges. */
const GAP_PX = 6

type FloatingProps = {
  readonly place: () => DOMRect | null
  readonly side: 'above' | 'below'
  readonly children: (props: {
    readonly ref: RefObject<HTMLDivElement | null>
    readonly style: CSSProperties
  }) => ReactNode
}

/**
 * Positions an element next to the text within the editor frame, on the requested side or, without enough room, on the
 * other side. It scrolls with the page.
 */
export function Floating({ place, side, children }: FloatingProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [style, setStyle] = useState<CSSProperties>({ visibility: 'hidden' })

  useLayoutEffect(() => {
    const next = styleOf(ref.current, place(), side)
    setStyle((now) => (now.top === next.top && now.left === next.left ? now : next))
  }, [place, side])
  return children({ ref, style })
}

function styleOf(element: HTMLElement | null, words: DOMRect | null, side: 'above' | 'below'): CSSProperties {
  const frame = element?.offsetParent?.getBoundingClientRect()
  if (!element || !frame || !words) return { visibility: 'hidden' }
  const { offsetWidth: width, offsetHeight: height } = element
  const above = words.top - height - GAP_PX
  const below = words.bottom + GAP_PX
  const hasRoomBelow = below + height < window.innerHeight
  const isAbove = side === 'above' ? above > 0 : !hasRoomBelow && above > 0
  const left = Math.min(words.left, frame.right - width - GAP_PX)
  return { top: (isAbove ? above : below) - frame.top, left: Math.max(left - frame.left, GAP_PX) }
}

/** Width in px that fits all tools on one line; below it, rarely used tools move to the menu. */
const ROOM_FOR_ALL_PX = { pointer: 600, finger: 740 }

const SWITCHES = [...Object.values(TOOL_GROUPS).flat(), ...BLOCK_TOOLS]

const { headings, marks, lists, indents, clearing } = TOOL_GROUPS
const isRare = ({ name }: Tool): boolean => name === 'strike' || name === 'code'

const INSERTED = BLOCK_TOOLS.filter(({ name }) => name !== 'table')

const menuItems = lazyModule(() => import('./tool-menu.tsx'))

function namesOfToolsThatAreOn(editor: Editor): string {
  return SWITCHES.filter((tool) => tool.isOn?.(editor))
    .map((tool) => tool.name)
    .join(' ')
}

type EditorToolbarProps = {
  readonly editor: Editor
  readonly label: string
  readonly isLinkOpen: boolean
  readonly onLinkOpen: (isOpen: boolean) => void
  readonly ownTools: readonly Tool[]
  readonly leaving?: Tool | undefined
}

export function EditorToolbar({ editor, label, isLinkOpen, onLinkOpen, ownTools, leaving }: EditorToolbarProps) {
  const on = useEditorState({ editor, selector: ({ editor: now }) => namesOfToolsThatAreOn(now) }).split(' ')
  const ref = useRef<HTMLDivElement>(null)
  const { widthPx } = useElementSize(ref)
  const isFinger = useMediaQuery('(pointer: coarse)')
  const isNarrow = widthPx > 0 && widthPx < ROOM_FOR_ALL_PX[isFinger ? 'finger' : 'pointer']
  const folded = isNarrow ? [headings, [...marks.filter(isRare), ...clearing], indents] : []

  const group = (tools: readonly Tool[]) => (
    <Toolbar.Group>
      {tools.map((tool) => (
        <ToolButton key={tool.name} tool={tool} editor={editor} isOn={on.includes(tool.name)} />
      ))}
    </Toolbar.Group>
  )

  return (
    <Toolbar
      ref={ref}
      className="editor-toolbar"
      variant="light"
      withBorder={false}
      aria-label={UI_TEXTS.editor.toolbar(label)}
    >
      {!isNarrow && group(headings)}
      {!isNarrow && <Toolbar.Divider />}
      {group(isNarrow ? marks.filter((tool) => !isRare(tool)) : marks)}
      <LinkTool editor={editor} isOpen={isLinkOpen} onOpen={onLinkOpen} />
      <Toolbar.Divider />
      {group(isNarrow ? lists : [...lists, ...indents])}
      <Toolbar.Divider />
      <ToolMenu editor={editor} label={UI_TEXTS.editor.insert} icon={IconPlus} groups={[INSERTED]} />
      <TableMenu editor={editor} isOn={on.includes('table')} />
      {!isNarrow && group(clearing)}
      {leaving && <ToolButton tool={leaving} editor={editor} isOn={false} />}
      <ToolMenu editor={editor} label={UI_TEXTS.editor.more} icon={IconDots} groups={[...folded, ownTools]} isLast />
    </Toolbar>
  )
}

type ToolMenuProps = {
  readonly editor: Editor
  readonly label: string
  readonly icon: Tool['icon']
  readonly groups: readonly (readonly Tool[])[]
  readonly isOn?: boolean
  readonly isLast?: boolean
}

function ToolMenu({ editor, label, icon: Icon, groups, isOn = false, isLast = false }: ToolMenuProps) {
  return (
    <MenuButton
      part={menuItems}
      position={isLast ? 'bottom-end' : 'bottom-start'}
      widthPx={260}
      className="editor-menu"
      button={(props) => (
        <ToolTip label={label}>
          <Toolbar.Toggle
            {...props}
            aria-label={label}
            data-on={isOn || undefined}
            data-last={isLast || undefined}
            onMouseDown={(event) => event.preventDefault()}
          >
            <Icon size={ICON_PX} stroke={1.5} aria-hidden />
          </Toolbar.Toggle>
        </ToolTip>
      )}
      items={({ ToolItems }, takeFocus) => <ToolItems editor={editor} groups={groups} onUse={takeFocus} />}
    />
  )
}

function TableMenu({ editor, isOn }: { editor: Editor; isOn: boolean }) {
  if (!isOn) return <ToolButton tool={INSERT_TABLE} editor={editor} isOn={false} />
  return (
    <ToolMenu
      editor={editor}
      label={UI_TEXTS.editor.table}
      icon={IconTable}
      groups={[TABLE_TOOLS.slice(0, 5), TABLE_TOOLS.slice(5)]}
      isOn
    />
  )
}

const MARKS = TOOL_GROUPS.marks

/** The editor state that the toolbar depends on, as a string; undefined if the toolbar isn't shown. */
function stateOf(editor: Editor): string | undefined {
  const { selection, doc } = editor.state
  const hasWords = selection instanceof TextSelection && doc.textBetween(selection.from, selection.to).trim() !== ''
  if (!hasWords || !editor.isEditable || selection.$from.parent.type.spec.code) return undefined
  const on = MARKS.filter((tool) => tool.isOn?.(editor)).map(({ name }) => name)
  return `${selection.from} ${selection.to} ${on.join(' ')}`
}

/** Whether the frame has focus and the user isn't selecting with the mouse. */
function useIsAtRest(frame: RefObject<HTMLElement | null>): boolean {
  const [isAtRest, setAtRest] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const isIn = (target: EventTarget | null) => target instanceof Node && element.contains(target)
    let isDown = false
    const checker = () => setAtRest(!isDown && isIn(document.activeElement))
    const press = ({ target }: PointerEvent) => {
      isDown = isIn(target) && !(target instanceof Element && target.closest('[role="toolbar"]'))
      checker()
    }
    const release = () => {
      isDown = false
      checker()
    }
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('pointerdown', press, { signal })
    document.addEventListener('pointerup', release, { signal })
    document.addEventListener('pointercancel', release, { signal })
    document.addEventListener('focusin', checker, { signal })
    element.addEventListener('focusout', ({ relatedTarget }) => isIn(relatedTarget) || setAtRest(false), { signal })
    return () => listening.abort()
  }, [frame])
  return isAtRest
}

type SelectionBarProps = {
  readonly editor: Editor
  readonly frame: RefObject<HTMLElement | null>
  readonly isLinkOpen: boolean
  readonly onLinkOpen: (isOpen: boolean) => void
}

export function SelectionBar({ editor, frame, isLinkOpen, onLinkOpen }: SelectionBarProps) {
  const state = useEditorState({ editor, selector: ({ editor: now }) => stateOf(now) })
  const isAtRest = useIsAtRest(frame)
  // On touch devices, the system menu is shown above the selection.
  const isFinger = useMediaQuery('(pointer: coarse)')
  if (state === undefined || !isAtRest || isLinkOpen) return null

  const on = state.split(' ')
  const { from, to } = editor.state.selection
  return (
    <Floating place={() => posToDOMRect(editor.view, from, to)} side={isFinger ? 'below' : 'above'}>
      {(placed) => (
        <div {...placed} className="editor-bubble">
          <Toolbar className="editor-toolbar" variant="light" withBorder={false} aria-label={UI_TEXTS.editor.bubble}>
            {MARKS.map((tool) => (
              <ToolButton key={tool.name} tool={tool} editor={editor} isOn={on.includes(tool.name)} />
            ))}
            <LinkTool editor={editor} isOpen={isLinkOpen} onOpen={onLinkOpen} />
          </Toolbar>
        </div>
      )}
    </Floating>
  )
}

/** The link at the caret as `from to URL`; undefined if there is none. */
function linkAtCaret(editor: Editor): string | undefined {
  const { selection, schema } = editor.state
  const href = currentLink(editor)
  const type = schema.marks['link']
  const range = type && getMarkRange(selection.$from, type)
  if (!selection.empty || !editor.isEditable || !range || href === undefined) return undefined
  return `${range.from} ${range.to} ${href}`
}

const REMOVE_LINK: Tool = { name: 'remove-link', label: UI_TEXTS.editor.linkRemove, icon: IconUnlink, use: removeLink }

/** Opens, edits or removes the link at the caret. */
export function LinkBar({ editor, frame, isLinkOpen, onLinkOpen }: SelectionBarProps) {
  const state = useEditorState({ editor, selector: ({ editor: now }) => linkAtCaret(now) })
  const isAtRest = useIsAtRest(frame)
  if (state === undefined || !isAtRest || isLinkOpen) return null

  const [from, to, ...words] = state.split(' ')
  const href = words.join(' ')
  const edit = { name: 'edit-link', label: UI_TEXTS.editor.linkEdit, icon: IconPencil, keys: 'Mod+K' } as const
  return (
    <Floating place={() => posToDOMRect(editor.view, Number(from), Number(to))} side="below">
      {(placed) => (
        <div {...placed} className="editor-bubble">
          <Toolbar className="editor-toolbar" variant="light" withBorder={false} aria-label={UI_TEXTS.editor.link}>
            <Toolbar.Toggle
              component="a"
              autoWidth
              className="editor-link-open"
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={UI_TEXTS.editor.linkOpen(href)}
            >
              <span>{href}</span>
              <IconExternalLink size={ICON_PX} stroke={1.5} aria-hidden />
            </Toolbar.Toggle>
            <ToolButton tool={{ ...edit, use: () => onLinkOpen(true) }} editor={editor} isOn={false} />
            <ToolButton tool={REMOVE_LINK} editor={editor} isOn={false} />
          </Toolbar>
        </div>
      )}
    </Floating>
  )
}
