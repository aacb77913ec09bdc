import { ActionIcon } from '@mantine/core'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { IconDots } from '#web/ui/icons/frame.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import { t } from '#web/i18n/t.ts'

export type CollectionMenuProps = {
  readonly collection: TypedCollection
  readonly onExport: () => void
  readonly onPrint: () => void
  /** Undefined if an earlier time is already shown. */
  readonly onEarlier: (() => void) | undefined
}

const items = lazyModule(() => import('#web/features/schema/collection/collection-menu-items.tsx'))

export type Offered = Readonly<Record<'mayManage' | 'mayImport' | 'mayExport', boolean>>

export function CollectionMenu(props: CollectionMenuProps) {
  const { can, label } = props.collection
  const offered: Offered = {
    mayManage: can.includes('collections:manage'),
    mayImport: can.includes('records:import'),
    mayExport: can.includes('records:export'),
  }
  return (
    <MenuButton
      part={items}
      widthPx={240}
      items={({ CollectionMenuItems }) => <CollectionMenuItems {...props} offered={offered} />}
      button={(button) => (
        <ActionIcon {...button} aria-label={t('More actions for {label}', { label })}>
          <IconDots size={18} stroke={1.5} />
        </ActionIcon>
      )}
    />
  )
}
