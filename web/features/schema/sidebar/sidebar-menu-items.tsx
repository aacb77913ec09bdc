import { Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { sidebarLayoutOf } from '#domain/collections/sidebar-layout.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { FavoriteMenuItem } from '#web/shared/favorites/favorite-menu-item.tsx'
import type { Reorder } from '#web/shared/reorder/use-reorder.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { IconArrowDown, IconArrowUp, IconPalette } from '#web/ui/icons/general.ts'
import { IconFolderPlus, IconPencil, IconX } from '#web/ui/icons/later.ts'
import { t } from '#web/i18n/t.ts'
import { SettingsMenuItem } from '#web/features/schema/collection/collection-menu-items.tsx'
import {
  type SidebarDialog,
  type SidebarRowProps,
  useArrangeCollections,
  withGroupNamed,
} from './arrange-collections.ts'

type ItemProps = {
  readonly icon: Icon
  readonly isOff?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

const Item = ({ icon: ItemIcon, isOff = false, onClick, children }: ItemProps) => (
  <Menu.Item disabled={isOff} leftSection={<ItemIcon size={16} stroke={1.5} aria-hidden />} onClick={onClick}>
    {children}
  </Menu.Item>
)

type SidebarMenuItemsProps = { readonly collection: CollectionBody; readonly around: SidebarRowProps }

export function SidebarMenuItems({ collection, around }: SidebarMenuItemsProps) {
  const { onAsk, mayArrange } = around
  return (
    <>
      <FavoriteMenuItem target={{ collection: collection.id }} />
      {collection.can.includes('collections:manage') && (
        <>
          <Item icon={IconPalette} onClick={() => onAsk({ type: 'look', collection: collection.id })}>
            {t('Icon and color')}
          </Item>
          <SettingsMenuItem collection={collection.name} />
        </>
      )}
      {mayArrange && <PositionMenuItems collection={collection} around={around} />}
    </>
  )
}

function PositionMenuItems({ collection, around: { reorder, onAsk } }: SidebarMenuItemsProps) {
  const at = reorder.order.findIndex(({ key }) => key === collection.id)
  const line = reorder.order[at]
  return (
    <>
      <Menu.Divider />
      <Item icon={IconArrowUp} isOff={at <= 0} onClick={() => line && reorder.move(line, -1)}>
        {t('Move up')}
      </Item>
      <Item icon={IconArrowDown} isOff={at === reorder.order.length - 1} onClick={() => line && reorder.move(line, 1)}>
        {t('Move down')}
      </Item>
      <Item icon={IconFolderPlus} onClick={() => onAsk({ type: 'group', collection: collection.id })}>
        {t('Move to group')}
      </Item>
    </>
  )
}

type GroupMenuItemsProps = {
  readonly name: string
  readonly groups: Reorder<string>
  readonly onAsk: (question: SidebarDialog) => void
}

export function GroupMenuItems({ name, groups, onAsk }: GroupMenuItemsProps) {
  const queryClient = useQueryClient()
  const arrange = useArrangeCollections()
  const at = groups.order.indexOf(name)
  const dissolve = () => {
    const now = sidebarLayoutOf(queryClient.getQueryData(collectionsQuery.queryKey) ?? [])
    arrange(withGroupNamed(now, name, null), t('Group {name} ungrouped', { name }))
  }
  return (
    <>
      <Item icon={IconPencil} onClick={() => onAsk({ type: 'rename', group: name })}>
        {t('Rename')}
      </Item>
      <Item icon={IconArrowUp} isOff={at <= 0} onClick={() => groups.move(name, -1)}>
        {t('Move up')}
      </Item>
      <Item icon={IconArrowDown} isOff={at === groups.order.length - 1} onClick={() => groups.move(name, 1)}>
        {t('Move down')}
      </Item>
      <Menu.Divider />
      <Item icon={IconX} onClick={dissolve}>
        {t('Ungroup')}
      </Item>
    </>
  )
}
