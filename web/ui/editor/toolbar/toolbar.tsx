import { Toolbar } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { useRef } from 'react'
import { IconDots, IconPlus } from '#web/ui/icons/frame.ts'
import { IconTable } from '#web/ui/icons/editor.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.ts'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import { useElementSize } from '#web/ui/browser/use-element-size.ts'
import { LinkTool } from './link-tool.tsx'
import { TABLE_TOOLS } from './table-tools.ts'
import { ICON_PX, ToolButton } from './tool-button.tsx'
import { ToolTip } from './tooltip.tsx'
import { BLOCK_TOOLS, INSERT_TABLE, TOOL_GROUPS, type Tool } from './toolbar-tools.ts'

/** All tools in one line need as much; with less room those that are used least go into the menu at the end. */
const ROOM_FOR_ALL_PX = { pointer: 600, finger: 740 }

const SWITCHES = [...Object.values(TOOL_GROUPS).flat(), ...BLOCK_TOOLS]

const { headings, marks, lists, indents, clearing } = TOOL_GROUPS
const isRare = ({ name }: Tool): boolean => name === 'strike' || name === 'code'

/** A table has a button of its own. */
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
  /** What is done with the editor itself, such as searching in it. */
  readonly ownTools: readonly Tool[]
  /** The way back from a state of its own, which must be in sight. */
  readonly leaving?: Tool | undefined
}

/** The formatting tools of one editor: one tab stop, arrow keys inside, each switch saying whether it is on. */
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

/** Tools behind a button of the toolbar. */
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

/** Outside of a table the button makes one, inside it opens what can be done there. */
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
