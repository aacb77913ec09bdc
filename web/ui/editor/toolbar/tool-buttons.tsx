import { Toolbar, Tooltip } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { ariaShortcut, ShortcutHint } from '#web/ui/shortcuts/shortcuts.tsx'
import type { Tool } from './toolbar-tools.ts'
import type { ReactNode } from 'react'

export function ToolTip({ label, keys, children }: { label: string; keys?: string | undefined; children: ReactNode }) {
  return (
    <Tooltip
      label={
        <>
          {label} {keys !== undefined && <ShortcutHint keys={keys} />}
        </>
      }
    >
      {children}
    </Tooltip>
  )
}

export const ICON_PX = 18

export function ToolButton({ tool, editor, isOn }: { tool: Tool; editor: Editor; isOn: boolean }) {
  return (
    <ToolTip label={tool.label} keys={tool.keys}>
      <Toolbar.Toggle
        {...(tool.isOn && { active: isOn })}
        aria-label={tool.label}
        aria-keyshortcuts={tool.keys && ariaShortcut(tool.keys)}
        // Pressing the button must not clear the selection that the tool applies to.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => tool.use(editor)}
      >
        <tool.icon size={ICON_PX} stroke={1.5} aria-hidden />
      </Toolbar.Toggle>
    </ToolTip>
  )
}
