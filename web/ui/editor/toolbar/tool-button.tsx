import { Toolbar } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { ariaShortcut } from '#web/ui/shortcuts/shortcut-hint.tsx'
import { ToolTip } from './tooltip.tsx'
import type { Tool } from './toolbar-tools.ts'

/** How large the pictures on the buttons are. */
export const ICON_PX = 18

/** One tool as a button of a toolbar; a switch says whether it is on. */
export function ToolButton({ tool, editor, isOn }: { tool: Tool; editor: Editor; isOn: boolean }) {
  return (
    <ToolTip label={tool.label} keys={tool.keys}>
      <Toolbar.Toggle
        {...(tool.isOn && { active: isOn })}
        aria-label={tool.label}
        aria-keyshortcuts={tool.keys && ariaShortcut(tool.keys)}
        // Pressing must not take the selection the tool is about.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => tool.use(editor)}
      >
        <tool.icon size={ICON_PX} stroke={1.5} aria-hidden />
      </Toolbar.Toggle>
    </ToolTip>
  )
}
