import { Toolbar } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { KIT_TEXTS } from '../kit-texts.ts'
import { ariaShortcut } from '../shortcut-hint.tsx'
import { LinkTool } from './link-tool.tsx'
import { ToolTip } from './tool-tip.tsx'
import { TOOL_GROUPS, type Tool } from './toolbar-tools.ts'

const ICON_PX = 18

const ALL_TOOLS = Object.values(TOOL_GROUPS).flat()

function namesOfToolsThatAreOn(editor: Editor): string {
  return ALL_TOOLS.filter((tool) => tool.isOn?.(editor))
    .map((tool) => tool.name)
    .join(' ')
}

/** The formatting tools of one editor: one tab stop, arrow keys inside, each switch saying whether it is on. */
export function EditorToolbar(props: {
  editor: Editor
  label: string
  isLinkOpen: boolean
  onLinkOpen: (isOpen: boolean) => void
}) {
  const { editor, label, isLinkOpen, onLinkOpen } = props
  const on = useEditorState({ editor, selector: ({ editor: now }) => namesOfToolsThatAreOn(now) }).split(' ')

  const buttons = (tools: readonly Tool[]) =>
    tools.map((tool) => <ToolButton key={tool.name} tool={tool} editor={editor} isOn={on.includes(tool.name)} />)

  return (
    <Toolbar className="editor-toolbar" variant="light" withBorder={false} aria-label={KIT_TEXTS.editor.toolbar(label)}>
      <Toolbar.Group>{buttons(TOOL_GROUPS.headings)}</Toolbar.Group>
      <Toolbar.Divider />
      <Toolbar.Group>
        {buttons(TOOL_GROUPS.marks)}
        <LinkTool editor={editor} isOpen={isLinkOpen} onOpen={onLinkOpen} />
      </Toolbar.Group>
      <Toolbar.Divider />
      <Toolbar.Group>{buttons(TOOL_GROUPS.lists)}</Toolbar.Group>
      <Toolbar.Divider />
      <Toolbar.Group>{buttons(TOOL_GROUPS.clearing)}</Toolbar.Group>
    </Toolbar>
  )
}

function ToolButton({ tool, editor, isOn }: { tool: Tool; editor: Editor; isOn: boolean }) {
  const Icon = tool.icon
  return (
    <ToolTip label={tool.label} keys={tool.keys}>
      <Toolbar.Toggle
        {...(tool.isOn && { active: isOn })}
        aria-label={tool.label}
        aria-keyshortcuts={ariaShortcut(tool.keys)}
        // Pressing must not take the selection the tool is about.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => tool.use(editor)}
      >
        <Icon size={ICON_PX} stroke={1.5} aria-hidden />
      </Toolbar.Toggle>
    </ToolTip>
  )
}
