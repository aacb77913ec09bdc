import { Menu } from '@mantine/core'
import type { CollectionBody } from '#api/collections.ts'
import { collectionPath, useFollow } from '#web/shared/navigation/app-link.tsx'
import { IconFolder } from '#web/ui/icons/frame.ts'

type CollectionSwitcherProps = { readonly collections: readonly CollectionBody[]; readonly current: CollectionBody }

export function CollectionSwitcher({ collections, current }: CollectionSwitcherProps) {
  const follow = useFollow()
  return collections.map(({ id, name, label }) => (
    <Menu.Item
      key={id}
      component="a"
      href={collectionPath(name)}
      onClick={follow}
      leftSection={<IconFolder size={16} stroke={1.5} aria-hidden />}
      {...(id === current.id && { 'aria-current': 'true' })}
    >
      <span dir="auto">{label}</span>
    </Menu.Item>
  ))
}
