import { Menu } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { Fragment } from 'react'
import { IconCheck } from '#web/ui/icons/general.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { ShortcutHint } from '#web/ui/shortcuts/shortcuts.tsx'
import type { Tool } from './toolbar-tools.ts'

type ToolItemsProps = {
  readonly editor: Editor
  /** Groups of tools, divided by lines. */
  readonly groups: readonly (readonly Tool[])[]
  /** Called before a tool is used: it moves the keyboard to where it works. */
  readonly onUse: () => void
}

/** Tools as the items of a menu. */
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

/** Whether a switch is on, and its keys. */
function ItemEnd({ tool, isOn }: { tool: Tool; isOn: boolean }) {
  return (
    <span className="editor-menu-end">
      {isOn && <IconCheck size={16} stroke={1.5} role="img" aria-label={UI_TEXTS.editor.on} />}
      {tool.keys !== undefined && <ShortcutHint keys={tool.keys} />}
    </span>
  )
}
