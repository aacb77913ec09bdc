import { IconStarFilled } from '#web/ui/icons/frame.ts'
import { IconStar } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'
import { type FavoriteTarget, useFavorite, useHasFavorites } from './favorite-button.tsx'

// Separate from the button, which every list loads, because Mantine's menus add 28 kB.
export function FavoriteMenuItem({ target }: { readonly target: FavoriteTarget }) {
  const { isKept, toggle } = useFavorite(target)
  const isKeeping = useHasFavorites()
  if (!isKeeping) return null
  const Icon = isKept ? IconStarFilled : IconStar
  return <MenuItem icon={Icon} label={isKept ? t('Remove from favorites') : t('Add to favorites')} onClick={toggle} />
}
