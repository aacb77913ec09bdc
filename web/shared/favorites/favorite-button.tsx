import { ActionIcon } from '@mantine/core'
import { IconStarFilled } from '#web/ui/icons/frame.ts'
import { IconStar } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { type FavoriteTarget, useFavorite, useHasFavorites } from './use-favorites.ts'

export function FavoriteButton({ target, name }: { readonly target: FavoriteTarget; readonly name: string }) {
  const { isKept, toggle } = useFavorite(target)
  const isKeeping = useHasFavorites()
  if (!isKeeping) return null
  const Icon = isKept ? IconStarFilled : IconStar
  return (
    <ActionIcon
      aria-label={t('Favorite: {name}', { name })}
      aria-pressed={isKept}
      title={isKept ? t('Remove from favorites') : t('Add to favorites')}
      onClick={toggle}
    >
      <Icon size={18} stroke={1.5} {...(isKept && { style: { color: 'var(--choice-amber-dot)' } })} />
    </ActionIcon>
  )
}
