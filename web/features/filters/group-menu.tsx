import { useState } from 'react'
import { IconLayoutList } from '#web/kit/icons/icon-layout-list.ts'
import { later, useLater } from '#web/kit/later.ts'
import type { GroupPanelProps } from './group-panel.tsx'
import { groupNames } from './query-in-url.ts'
import { ToolPanel } from './tool-panel.tsx'

const panel = later(() => import('./group-panel.tsx'))

/** The groups of a list behind one button, which tells by what they are made. */
export function GroupMenu(props: GroupPanelProps) {
  const { fields, grouped } = props
  const [isOpen, setOpen] = useState(false)
  const { GroupPanel } = useLater(panel, isOpen) ?? {}
  const names = groupNames(grouped.group)
  const labels = names.map((name) => fields.find((field) => field.name === name)?.label ?? name)
  return (
    <ToolPanel
      label="Group"
      state={labels.length === 0 ? undefined : labels.join(' › ')}
      icon={<IconLayoutList size={16} stroke={1.5} />}
      isActive={labels.length > 0}
      className="key-panel"
      isOpen={isOpen}
      onOpen={setOpen}
    >
      {GroupPanel && <GroupPanel {...props} />}
    </ToolPanel>
  )
}
