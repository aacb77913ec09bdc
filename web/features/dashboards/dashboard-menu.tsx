import { ActionIcon, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { DashboardBody } from '#api/dashboards.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { t } from '#web/i18n/t.ts'
import { IconDots } from '#web/ui/icons/frame.ts'
import { IconArrowDown, IconArrowUp, IconTrash } from '#web/ui/icons/general.ts'
import { IconPencil } from '#web/ui/icons/later.ts'
import { IconUser, IconUsersGroup } from '#web/ui/icons/start.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { DashboardNameDialog } from './dashboard-name-dialog.tsx'
import { dashboardsQuery, useChangeDashboard, useDeleteDashboard } from './dashboard-queries.ts'

type DashboardMenuProps = { readonly dashboard: DashboardBody }

export function DashboardMenu({ dashboard }: DashboardMenuProps) {
  const { id, name, mayChange } = dashboard
  // Menu items are removed when the menu closes, so they can't react to the response.
  const changing = useChangeDashboard(id)
  const deleting = useDeleteDashboard()
  const navigate = useNavigate()
  const [isNaming, setNaming] = useState(false)
  if (!mayChange) return null
  const share = (isShared: boolean, said: string) =>
    changing.mutate({ isShared }, { onSuccess: () => notify.success(said) })
  const remove = () => deleting.mutate(dashboard, { onSuccess: () => void navigate({ to: sessionConfig.routes.home }) })
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon size="input-sm" variant="default" aria-label={t('More actions for {name}', { name })}>
            <IconDots size={18} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItem icon={IconPencil} label={t('Rename')} onClick={() => setNaming(true)} />
          <SharingItem dashboard={dashboard} onShare={share} />
          <OrderItems dashboard={dashboard} onMove={(before) => changing.mutate({ before })} />
          <Menu.Divider />
          <MenuItem icon={IconTrash} color="danger" label={t('Delete')} onClick={remove} />
        </Menu.Dropdown>
      </Menu>
      <DashboardNameDialog
        isOpen={isNaming}
        title={t('Rename dashboard')}
        label={t('Rename')}
        start={name}
        isBusy={changing.isPending}
        error={changing.error}
        onName={(next) => changing.mutate({ name: next }, { onSuccess: () => setNaming(false) })}
        onClose={() => setNaming(false)}
      />
    </>
  )
}

type SharingItemProps = DashboardMenuProps & { readonly onShare: (isShared: boolean, said: string) => void }

function SharingItem({ dashboard: { isShared, mayShare, owner }, onShare }: SharingItemProps) {
  if (!mayShare) return null
  return isShared ? (
    <MenuItem
      icon={IconUser}
      label={t('Make private to {name}', { name: owner.name })}
      onClick={() => onShare(false, t('Only {name} can see this dashboard now', { name: owner.name }))}
    />
  ) : (
    <MenuItem
      icon={IconUsersGroup}
      label={t('Share with everyone')}
      onClick={() => onShare(true, t('Everyone who can see one of its views can now see this dashboard'))}
    />
  )
}

type OrderItemsProps = DashboardMenuProps & { readonly onMove: (before: string | null) => void }

/** Shared and private dashboards are ordered separately. */
function OrderItems({ dashboard: { id, isShared }, onMove }: OrderItemsProps) {
  const { data } = useQuery(dashboardsQuery)
  const siblings = (data?.items ?? []).filter((each) => each.isShared === isShared).map((each) => each.id)
  const place = siblings.indexOf(id)
  if (siblings.length < 2) return null
  return (
    <>
      <Menu.Divider />
      <MenuItem
        icon={IconArrowUp}
        label={t('Move up')}
        disabled={place <= 0}
        onClick={() => onMove(siblings[place - 1] ?? null)}
      />
      <MenuItem
        icon={IconArrowDown}
        label={t('Move down')}
        disabled={place === siblings.length - 1}
        onClick={() => onMove(siblings[place + 2] ?? null)}
      />
    </>
  )
}
