import { Button, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { FIELD_FACES } from '#web/fields/field-faces.ts'
import { IconCheck } from '#web/kit/icons/icon-check.ts'
import { IconLayoutList } from '#web/kit/icons/icon-layout-list.ts'
import { groupFields } from './list-fields.ts'
import './filters.css'

type GroupMenuProps = {
  readonly fields: readonly Field[]
  readonly group: string | null
  readonly onGroup: (group: string | null) => void
}

/** The field by which the records of a list stand together. */
export function GroupMenu({ fields, group, onGroup }: GroupMenuProps) {
  const possible = groupFields(fields)
  const current = possible.find((field) => field.name === group)
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <Button
          size="sm"
          variant={group === null ? 'subtle' : 'light'}
          color={group === null ? 'gray' : 'primary'}
          leftSection={<IconLayoutList size={16} stroke={1.5} />}
        >
          {group === null ? 'Group' : `Group: ${current?.label ?? group}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="group-panel">
        <GroupItem isChosen={group === null} onChoose={() => onGroup(null)}>
          No groups
        </GroupItem>
        <Menu.Divider />
        {possible.map((field) => {
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
      </Menu.Dropdown>
    </Menu>
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
