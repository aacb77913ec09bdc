import { ActionIcon, Menu } from '@mantine/core'
import { collectionSettingsPath } from '#web/fields/addresses.ts'
import { useFollow } from '#web/fields/app-link.tsx'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { IconDots } from '#web/kit/icons/icon-dots.ts'
import { IconDownload } from '#web/kit/icons/icon-download.ts'
import { IconSettings } from '#web/kit/icons/icon-settings.ts'
import { IconTableImport } from '#web/kit/icons/icon-table-import.ts'

type CollectionMenuProps = {
  readonly collection: KnownCollection
  /** Asks how the list that is shown shall be exported. */
  readonly onExport: () => void
}

/** What can be done with a collection as a whole. */
export function CollectionMenu({ collection, onExport }: CollectionMenuProps) {
  const follow = useFollow()
  const mayManage = collection.can.includes('collections:manage')
  const mayImport = collection.can.includes('records:import')
  const mayExport = collection.can.includes('records:export')
  if (!mayManage && !mayImport && !mayExport) return null
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon aria-label={`More about ${collection.label}`}>
          <IconDots size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayManage && (
          <Menu.Item
            component="a"
            href={collectionSettingsPath(collection.name)}
            onClick={follow}
            leftSection={<IconSettings size={16} stroke={1.5} aria-hidden />}
          >
            Fields and settings
          </Menu.Item>
        )}
        {mayImport && (
          <Menu.Item
            component="a"
            href={`/import?into=${encodeURIComponent(collection.name)}`}
            onClick={follow}
            leftSection={<IconTableImport size={16} stroke={1.5} aria-hidden />}
          >
            Import a CSV
          </Menu.Item>
        )}
        {mayExport && (
          <Menu.Item leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />} onClick={onExport}>
            Export this list
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
