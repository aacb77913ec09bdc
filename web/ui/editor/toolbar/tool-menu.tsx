import { Menu } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { Fragment } from 'react'
import { IconCheck } from '#web/ui/icons/general.ts'
import { ShortcutHint } from '#web/ui/shortcuts/shortcuts.tsx'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import type { Tool } from './toolbar-tools.ts'

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
