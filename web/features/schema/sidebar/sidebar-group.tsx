import { ActionIcon } from '@mantine/core'
import { useId } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import type { Reorder } from '#web/shared/reorder/use-reorder.ts'
import { IconChevronDown, IconDots, IconGripVertical } from '#web/ui/icons/frame.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { CollectionRow } from './collection-row.tsx'
import type { SidebarRowProps } from './sidebar-row-props.ts'

const items = lazyModule(() => import('./sidebar-menu-items.tsx'))

type SidebarGroupProps = {
  readonly name: string
  readonly members: readonly CollectionBody[]
  readonly around: SidebarRowProps
  readonly groups: Reorder<string>
  readonly isFolded: boolean
  readonly onFold: (isFolded: boolean) => void
}

export function SidebarGroup({ name, members, around, groups, isFolded, onFold }: SidebarGroupProps) {
  const id = useId()
  return (
    <li className="sidebar-group" {...groups.itemProps(name)}>
      <div className="sidebar-line sidebar-group-head">
        {around.mayArrange && (
          <button {...groups.handleProps(name)}>
            <IconGripVertical size={14} stroke={1.5} aria-hidden />
          </button>
        )}
        <button
          type="button"
          className="sidebar-fold"
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={() => onFold(!isFolded)}
        >
          <IconChevronDown size={14} stroke={1.75} aria-hidden />
          <span id={`${id}-name`} title={name}>
            {name}
          </span>
          {isFolded && (
            <small className="sidebar-count">
              <span aria-hidden>{members.length}</span>
              <span className="visually-hidden">{plural(members.length, '{n} collection', '{n} collections')}</span>
            </small>
          )}
        </button>
        {around.mayArrange && (
          <MenuButton
            part={items}
            position="bottom-start"
            widthPx={208}
            items={({ GroupMenuItems }) => <GroupMenuItems name={name} groups={groups} onAsk={around.onAsk} />}
            button={(button) => (
              <ActionIcon
                {...button}
                size="sm"
                className="sidebar-line-more"
                aria-label={t('Actions for group {name}', { name })}
              >
                <IconDots size={16} stroke={1.5} />
              </ActionIcon>
            )}
          />
        )}
      </div>
      <ul id={id} aria-labelledby={`${id}-name`} hidden={isFolded}>
        {!isFolded &&
          members.map((collection) => <CollectionRow key={collection.id} collection={collection} around={around} />)}
      </ul>
    </li>
  )
}
