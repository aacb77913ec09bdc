import type { CollectionAppearance } from '#domain/collections/collection-appearance.ts'
import { IconFolder } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'

const collectionIcons = lazyModule(() => import('./collection-icons.ts'))

type CollectionIconProps = { readonly look: Pick<CollectionAppearance, 'icon' | 'color'>; readonly size?: number }

/** A decorative icon; shows a folder until the icons are loaded. */
export function CollectionIcon({ look: { icon, color }, size = 18 }: CollectionIconProps) {
  const { COLLECTION_ICON_COMPONENTS } = useLazyModule(collectionIcons, icon !== undefined) ?? {}
  const Icon = (icon && COLLECTION_ICON_COMPONENTS?.[icon].Icon) ?? IconFolder
  return (
    <Icon size={size} stroke={1.5} aria-hidden {...(color && { style: { color: `var(--choice-${color}-dot)` } })} />
  )
}
