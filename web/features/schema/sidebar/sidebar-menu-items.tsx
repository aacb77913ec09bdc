import { Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { CollectionBody } from '#api/collections.ts'
import { sidebarLayoutOf } from '#domain/collections/sidebar-layout.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { FavoriteMenuItem } from '#web/shared/favorites/favorite-menu-item.tsx'
import type { Reorder } from '#web/shared/reorder/use-reorder.ts'
import { IconArrowDown, IconArrowUp, IconPalette } from '#web/ui/icons/general.ts'
import { IconFolderPlus, IconPencil, IconX } from '#web/ui/icons/later.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'
import { t } from '#web/i18n/t.ts'
import { SettingsMenuItem } from '#web/features/schema/collection/collection-menu-items.tsx'
import {
  type SidebarDialog,
  type SidebarRowProps,
  useArrangeCollections,
  withGroupNamed,
} from './arrange-collections.ts'

type SidebarMenuItemsProps = { readonly collection: CollectionBody; readonly around: SidebarRowProps }

export function SidebarMenuItems({ collection, around }: SidebarMenuItemsProps) {
  const { onAsk, mayArrange } = around
  return (
    <>
      <FavoriteMenuItem target={{ collection: collection.id }} />
      {collection.can.includes('collections:manage') && (
        <>
          <MenuItem
            icon={IconPalette}
            label={t('Icon and color')}
            onClick={() => onAsk({ type: 'look', collection: collection.id })}
          />
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
      <MenuItem
        icon={IconArrowUp}
        label={t('Move up')}
        disabled={at <= 0}
        onClick={() => line && reorder.move(line, -1)}
      />
      <MenuItem
        icon={IconArrowDown}
        label={t('Move down')}
        disabled={at === reorder.order.length - 1}
        onClick={() => line && reorder.move(line, 1)}
      />
      <MenuItem
        icon={IconFolderPlus}
        label={t('Move to group')}
        onClick={() => onAsk({ type: 'group', collection: collection.id })}
      />
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
    arrange(withGroupNamed(now, name, null), t('Group {name} removed', { name }))
  }
  return (
    <>
      <MenuItem icon={IconPencil} label={t('Rename')} onClick={() => onAsk({ type: 'rename', group: name })} />
      <MenuItem icon={IconArrowUp} label={t('Move up')} disabled={at <= 0} onClick={() => groups.move(name, -1)} />
      <MenuItem
        icon={IconArrowDown}
        label={t('Move down')}
        disabled={at === groups.order.length - 1}
        onClick={() => groups.move(name, 1)}
      />
      <Menu.Divider />
      <MenuItem icon={IconX} label={t('Ungroup')} onClick={dissolve} />
    </>
  )
}
