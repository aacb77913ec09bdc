import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'

type MenuItemProps = {
  readonly icon: Icon
  readonly label: string
  readonly color?: 'danger'
  readonly disabled?: boolean
  readonly rightSection?: ReactNode
  readonly onClick: () => void
}

/** A menu item that runs an action; links use `Menu.Item`. */
export const MenuItem = ({ icon: ItemIcon, label, ...item }: MenuItemProps) => (
  <Menu.Item leftSection={<ItemIcon size={16} stroke={1.5} aria-hidden />} {...item}>
    {label}
  </Menu.Item>
)
