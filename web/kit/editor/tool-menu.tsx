import { Menu } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { Fragment } from 'react'
import { ShortcutHint } from '../shortcut-hint.tsx'
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
            rightSection={tool.keys && <ShortcutHint keys={tool.keys} />}
            {...(tool.isOn && { role: 'menuitemcheckbox', 'aria-checked': tool.isOn(editor) })}
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
