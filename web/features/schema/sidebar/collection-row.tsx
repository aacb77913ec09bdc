import { ActionIcon } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { CollectionIcon } from '#web/shared/collection-icon/collection-icon.tsx'
import { IconDots, IconGripVertical } from '#web/ui/icons/frame.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import { numberText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'
import type { SidebarRowProps } from './sidebar-rows.ts'

const items = lazyModule(() => import('./sidebar-menu-items.tsx'))

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

type CollectionRowProps = { readonly collection: CollectionBody; readonly around: SidebarRowProps }

export function CollectionRow({ collection, around }: CollectionRowProps) {
  const { reorder, mayArrange, counts } = around
  const { id, name, label } = collection
  const line = { key: id, collection }
  const count = counts.get(id)
  const moveByKeys = (event: KeyboardEvent) => {
    const step = event.altKey ? STEPS[event.key] : undefined
    const at = reorder.order.find(({ key }) => key === id)
    if (step === undefined || !mayArrange || !at) return
    event.preventDefault()
    reorder.move(at, step)
  }
  return (
    <li className="sidebar-line" {...reorder.itemProps(line)}>
      {mayArrange && <Handle line={line} reorder={reorder} />}
      <Link
        to="/collections/$collection"
        params={{ collection: name }}
        className="sidebar-link"
        activeOptions={{ exact: false, includeSearch: false }}
        onKeyDown={moveByKeys}
        {...(count !== undefined && { 'aria-description': plural(count, '{n} record', '{n} records') })}
        {...(mayArrange && { 'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown' })}
      >
        <CollectionIcon look={collection} />
        <span title={label}>{label}</span>
        {count !== undefined && (
          <small className="sidebar-count tabular" aria-hidden>
            {numberText(count)}
          </small>
        )}
      </Link>
      <MenuButton
        part={items}
        position="bottom-start"
        widthPx={232}
        items={({ SidebarMenuItems }) => <SidebarMenuItems collection={collection} around={around} />}
        button={(button) => (
          <ActionIcon
            {...button}
            size="sm"
            className="sidebar-line-more"
            aria-label={t('Actions for {label}', { label })}
          >
            <IconDots size={16} stroke={1.5} />
          </ActionIcon>
        )}
      />
    </li>
  )
}

type HandleProps = Pick<SidebarRowProps, 'reorder'> & {
  readonly line: { readonly key: string; readonly collection: CollectionBody }
}

/** The icon is the drag handle; pressing it opens the collection. The keyboard moves the link. */
function Handle({ line, reorder }: HandleProps) {
  const at = reorder.order.find(({ key }) => key === line.key) ?? line
  return (
    <button
      {...reorder.handleProps(at)}
      tabIndex={-1}
      onClick={({ currentTarget }) => currentTarget.parentElement?.querySelector('a')?.click()}
    >
      <IconGripVertical size={14} stroke={1.5} aria-hidden />
    </button>
  )
}
