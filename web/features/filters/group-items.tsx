import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { FIELD_FACES } from '#web/fields/field-faces.ts'
import { IconCheck } from '#web/kit/icons/icon-check.ts'
import type { GroupMenuProps } from './group-menu.tsx'
import { groupFields } from './list-fields.ts'

/** The fields by which records can stand together. */
export function GroupItems({ fields, group, onGroup }: GroupMenuProps) {
  return (
    <>
      <GroupItem isChosen={group === null} onChoose={() => onGroup(null)}>
        No groups
      </GroupItem>
      <Menu.Divider />
      {groupFields(fields).map((field) => {
        const { Icon } = FIELD_FACES[field.kind]
        return (
          <GroupItem
            key={field.id}
            isChosen={field.name === group}
            onChoose={() => onGroup(field.name)}
            icon={<Icon size={16} stroke={1.5} aria-hidden />}
          >
            {field.label}
          </GroupItem>
        )
      })}
    </>
  )
}

type GroupItemProps = {
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly icon?: ReactNode
  readonly children: ReactNode
}

function GroupItem({ isChosen, onChoose, icon, children }: GroupItemProps) {
  return (
    <Menu.Item
      role="menuitemradio"
      aria-checked={isChosen}
      onClick={onChoose}
      leftSection={icon}
      rightSection={isChosen && <IconCheck size={14} stroke={2} aria-hidden />}
    >
      {children}
    </Menu.Item>
  )
}
