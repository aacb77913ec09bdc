import { Menu } from '@mantine/core'
import { t } from '#web/i18n/t.ts'
import { collectionSettingsPath, useFollow } from '#web/shared/navigation/app-link.tsx'
import { IconTableImport } from '#web/ui/icons/frame.ts'
import { IconCalendarClock, IconDownload, IconHistory, IconPrinter, IconTrash } from '#web/ui/icons/general.ts'
import { IconSettings } from '#web/ui/icons/start.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'
import type { CollectionMenuProps, Offered } from './collection-menu.tsx'

export function SettingsMenuItem({ collection }: { readonly collection: string }) {
  const follow = useFollow()
  return (
    <Menu.Item
      component="a"
      href={collectionSettingsPath(collection)}
      onClick={follow}
      leftSection={<IconSettings size={16} stroke={1.5} aria-hidden />}
    >
      {t('Fields and settings')}
    </Menu.Item>
  )
}

export function CollectionMenuItems({
  collection,
  onExport,
  onPrint,
  onEarlier,
  offered,
}: CollectionMenuProps & { readonly offered: Offered }) {
  const follow = useFollow()
  const { mayManage, mayImport, mayExport } = offered
  return (
    <>
      {collection.description !== undefined && (
        <Menu.Label className="menu-description">{collection.description}</Menu.Label>
      )}
      {mayManage && <SettingsMenuItem collection={collection.name} />}
      {mayImport && (
        <Menu.Item
          component="a"
          href={`/import?into=${encodeURIComponent(collection.name)}`}
          onClick={follow}
          leftSection={<IconTableImport size={16} stroke={1.5} aria-hidden />}
        >
          {t('Import CSV')}
        </Menu.Item>
      )}
      {mayExport && <MenuItem icon={IconDownload} label={t('Export this list')} onClick={onExport} />}
      <MenuItem icon={IconPrinter} label={t('Print this list')} onClick={onPrint} />
      {onEarlier && <MenuItem icon={IconCalendarClock} label={t('View at an earlier time')} onClick={onEarlier} />}
      {[
        { page: 'activity', icon: IconHistory, label: t('Activity') },
        { page: 'trash', icon: IconTrash, label: t('Trash') },
      ].map(({ page, icon: PageIcon, label }) => (
        <Menu.Item
          key={page}
          component="a"
          href={`/${page}?collection=${encodeURIComponent(collection.name)}`}
          onClick={follow}
          leftSection={<PageIcon size={16} stroke={1.5} aria-hidden />}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  )
}
