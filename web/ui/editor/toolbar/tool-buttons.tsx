import { Toolbar, Tooltip, Menu } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { ariaShortcut, ShortcutHint } from '#web/ui/shortcuts/shortcuts.tsx'
import type { Tool } from './toolbar-tools.ts'
import { type ReactNode, Fragment } from 'react'
import { IconCheck } from '#web/ui/icons/general.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

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

type ToolItemsProps = {
  readonly editor: Editor
  readonly groups: readonly (readonly Tool[])[]
  readonly onUse: () => void
}

export function ToolItems({ editor, groups, onUse }: ToolItemsProps) {
  return groups
    .filter((group) => group.length > 0)
    .map((group, at) => (
      <Fragment key={group[0]?.name}>
        {at > 0 && <Menu.Divider />}
        {group.map((tool) => (
          <Menu.Item
            key={tool.name}
            leftSection={<tool.icon size={16} stroke={1.5} aria-hidden />}
            rightSection={<ItemEnd tool={tool} isOn={tool.isOn?.(editor) ?? false} />}
            data-on={tool.isOn?.(editor) || undefined}
            onClick={() => {
              onUse()
              tool.use(editor)
            }}
          >
            {tool.label}
          </Menu.Item>
        ))}
      </Fragment>
    ))
}

function ItemEnd({ tool, isOn }: { tool: Tool; isOn: boolean }) {
  return (
    <span className="editor-menu-end">
      {isOn && <IconCheck size={16} stroke={1.5} role="img" aria-label={UI_TEXTS.editor.on} />}
      {tool.keys !== undefined && <ShortcutHint keys={tool.keys} />}
    </span>
  )
}
