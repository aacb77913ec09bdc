import { ActionIcon, Menu } from '@mantine/core'
import type { GridColumn } from '#web/kit/grid/grid-column.ts'
import type { ColumnCommands } from '#web/kit/grid/grid-editing.ts'
import { IconArrowAutofitWidth } from '#web/kit/icons/icon-arrow-autofit-width.ts'
import { IconArrowLeft } from '#web/kit/icons/icon-arrow-left.ts'
import { IconArrowRight } from '#web/kit/icons/icon-arrow-right.ts'
import { IconChevronDown } from '#web/kit/icons/icon-chevron-down.ts'
import { IconEyeOff } from '#web/kit/icons/icon-eye-off.ts'
import { IconLayoutList } from '#web/kit/icons/icon-layout-list.ts'
import { IconPin } from '#web/kit/icons/icon-pin.ts'
import { IconSortAscending } from '#web/kit/icons/icon-sort-ascending.ts'
import { IconSortDescending } from '#web/kit/icons/icon-sort-descending.ts'
import { IconTableColumn } from '#web/kit/icons/icon-table-column.ts'
import type { RecordLine } from './record-line.ts'

/** What the menu of a column does, named by column. */
export type ColumnMenuActions = {
  readonly sort: (columnId: string, direction: 'asc' | 'desc') => void
  readonly hide: (columnId: string) => void
  readonly group: (columnId: string) => void
  readonly canGroup: (columnId: string) => boolean
}

type ColumnMenuProps = {
  readonly column: GridColumn<RecordLine>
  readonly actions: ColumnMenuActions
  /** What the grid itself does with a column. */
  readonly commands: ColumnCommands
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** What can be done with a column, behind a quiet arrow in its header. F2 on the header opens it. */
export function ColumnMenu({ column, actions, commands }: ColumnMenuProps) {
  const { id, header, isTitle = false } = column
  return (
    <Menu position="bottom-end" width={200} withinPortal>
      <Menu.Target>
        <ActionIcon size={24} className="column-menu" tabIndex={-1} aria-label={`Column ${header}`}>
          <IconChevronDown size={14} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSortAscending {...icon} />} onClick={() => actions.sort(id, 'asc')}>
          Sort ascending
        </Menu.Item>
        <Menu.Item leftSection={<IconSortDescending {...icon} />} onClick={() => actions.sort(id, 'desc')}>
          Sort descending
        </Menu.Item>
        {actions.canGroup(id) && (
          <Menu.Item leftSection={<IconLayoutList {...icon} />} onClick={() => actions.group(id)}>
            Group by this field
          </Menu.Item>
        )}
        {!isTitle && (
          <Menu.Item leftSection={<IconEyeOff {...icon} />} onClick={() => actions.hide(id)}>
            Hide
          </Menu.Item>
        )}
        <Menu.Divider />
        <PlaceItems commands={commands} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Where the column stands and how wide it is: what a drag does, without one. */
function PlaceItems({ commands }: { readonly commands: ColumnCommands }) {
  const isRtl = document.dir === 'rtl'
  const [back, forth] = isRtl ? ([1, -1] as const) : ([-1, 1] as const)
  return (
    <>
      <Menu.Item
        leftSection={<IconArrowLeft {...icon} />}
        disabled={!commands.canMove(back)}
        onClick={() => commands.move(back)}
      >
        Move left
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowRight {...icon} />}
        disabled={!commands.canMove(forth)}
        onClick={() => commands.move(forth)}
      >
        Move right
      </Menu.Item>
      <Menu.Item
        leftSection={<IconPin {...icon} />}
        onClick={commands.isFrozenEdge ? commands.unfreeze : commands.freezeUpTo}
      >
        {commands.isFrozenEdge ? 'Unfreeze columns' : 'Freeze up to here'}
      </Menu.Item>
      <Menu.Item leftSection={<IconArrowAutofitWidth {...icon} />} onClick={commands.fitWidth}>
        Fit width to content
      </Menu.Item>
      <Menu.Item leftSection={<IconTableColumn {...icon} />} onClick={commands.selectCells}>
        Select cells
      </Menu.Item>
    </>
  )
}
