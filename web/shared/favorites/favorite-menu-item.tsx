import { IconStarFilled } from '#web/ui/icons/frame.ts'
import { IconStar } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'
import { type FavoriteTarget, useFavorite, useHasFavorites } from './favorite-button.tsx'

// A separate module, because every list loads the button, but Mantine's menus add 28 kB.
export function FavoriteMenuItem({ target }: { readonly target: FavoriteTarget }) {
  const { isKept, toggle } = useFavorite(target)
  const isKeeping = useHasFavorites()
  if (!isKeeping) return null
  const Icon = isKept ? IconStarFilled : IconStar
  return <MenuItem icon={Icon} label={isKept ? t('Remove from favorites') : t('Add to favorites')} onClick={toggle} />
}
