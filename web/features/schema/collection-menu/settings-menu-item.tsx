import { Menu } from '@mantine/core'

import { collectionSettingsPath, useFollow } from '#web/shared/navigation/app-link.tsx'
import { IconSettings } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'

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
