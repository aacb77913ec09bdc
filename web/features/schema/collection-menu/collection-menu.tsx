import { ActionIcon } from '@mantine/core'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { IconDots } from '#web/ui/icons/frame.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import { t } from '#web/i18n/t.ts'

/** A collection, and what its menu asks for. */
export type CollectionMenuProps = {
  readonly collection: TypedCollection
  /** Asks how the list that is shown shall be exported. */
  readonly onExport: () => void
}

const items = lazyModule(() => import('./collection-menu-items.tsx'))

/** What of its menu somebody is offered. */
export type Offered = Readonly<Record<'mayManage' | 'mayImport' | 'mayExport', boolean>>

/** What can be done with a collection as a whole; nothing where nothing may be. */
export function CollectionMenu(props: CollectionMenuProps) {
  const { can, label } = props.collection
  const offered: Offered = {
    mayManage: can.includes('collections:manage'),
    mayImport: can.includes('records:import'),
    mayExport: can.includes('records:export'),
  }
  if (!Object.values(offered).includes(true)) return null
  return (
    <MenuButton
      part={items}
      items={({ CollectionMenuItems }) => <CollectionMenuItems {...props} offered={offered} />}
      button={(button) => (
        <ActionIcon {...button} aria-label={t('More actions for {label}', { label })}>
          <IconDots size={18} stroke={1.5} />
        </ActionIcon>
      )}
    />
  )
}
