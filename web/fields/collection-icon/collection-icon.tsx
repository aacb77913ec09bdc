import type { CollectionLook } from '#domain/collections/collection-look.ts'
import { IconFolder } from '#web/kit/icons/icon-folder.ts'
import { later, useLater } from '#web/kit/later.ts'

const signs = later(() => import('./collection-signs.ts'))

type CollectionIconProps = { readonly look: Pick<CollectionLook, 'icon' | 'color'>; readonly size?: number }

/** The sign of a collection in its colour; a folder until the others are there. It says nothing that its name does not. */
export function CollectionIcon({ look: { icon, color }, size = 18 }: CollectionIconProps) {
  const { COLLECTION_SIGNS } = useLater(signs, icon !== undefined) ?? {}
  const Icon = (icon && COLLECTION_SIGNS?.[icon].Icon) ?? IconFolder
  return (
    <Icon size={size} stroke={1.5} aria-hidden {...(color && { style: { color: `var(--choice-${color}-dot)` } })} />
  )
}
