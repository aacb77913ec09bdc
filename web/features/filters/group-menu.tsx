import { Button } from '@mantine/core'
import type { Field } from '#domain/fields/field.ts'
import { IconLayoutList } from '#web/kit/icons/icon-layout-list.ts'
import { later } from '#web/kit/later.ts'
import { MenuButton } from '#web/kit/popup/menu-button.tsx'
import './filters.css'

const items = later(() => import('./group-items.tsx'))

/** The fields of a list, and by which of them it is grouped. */
export type GroupMenuProps = {
  readonly fields: readonly Field[]
  readonly group: string | null
  readonly onGroup: (group: string | null) => void
}

/** The field by which the records of a list stand together. */
export function GroupMenu(props: GroupMenuProps) {
  const { fields, group } = props
  const current = fields.find((field) => field.name === group)
  return (
    <MenuButton
      position="bottom-start"
      widthPx={220}
      className="group-panel"
      part={items}
      items={({ GroupItems }) => <GroupItems {...props} />}
      button={(button) => (
        <Button
          {...button}
          size="sm"
          variant={group === null ? 'subtle' : 'light'}
          color={group === null ? 'gray' : 'primary'}
          leftSection={<IconLayoutList size={16} stroke={1.5} />}
        >
          {group === null ? 'Group' : `Group: ${current?.label ?? group}`}
        </Button>
      )}
    />
  )
}
