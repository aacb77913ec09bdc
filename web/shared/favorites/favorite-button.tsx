import { ActionIcon } from '@mantine/core'
import { IconStarFilled } from '#web/ui/icons/frame.ts'
import { IconStar } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { addFavorite, type FavoriteBody, listFavorites, reorderFavorites, removeFavorite } from '#api/home.ts'
import { call } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { notify } from '#web/ui/toast/notify.ts'

export type FavoriteTarget = {
  readonly collection: string
  readonly view?: string | undefined
  readonly record?: string | undefined
}

const NONE: readonly FavoriteBody[] = []

/** Favorites are hidden while impersonating. */
export function useHasFavorites(): boolean {
  const user = useUser()
  return user !== null && user.view_as?.is_on !== true
}

export function useFavorites(): readonly FavoriteBody[] {
  const isKeeping = useHasFavorites()
  const { data = NONE } = useQuery({
    queryKey: queryKeys.favourites,
    queryFn: async ({ signal }) => (await call(listFavorites, { signal })).items,
    enabled: isKeeping,
  })
  return data
}

const targetOf = ({ collection, view, record }: FavoriteTarget): string => record ?? view ?? collection

const take = (queryClient: QueryClient, items: readonly FavoriteBody[]): void =>
  void queryClient.setQueryData<readonly FavoriteBody[]>(queryKeys.favourites, items)

/** Removing a favorite offers undo. */
export function useFavorite(target: FavoriteTarget) {
  const favourites = useFavorites()
  const kept = favourites.find((each) => each.collection === target.collection && each.target === targetOf(target))
  const { add, remove } = useFavoriteMutations()
  return { isKept: kept !== undefined, toggle: () => (kept ? remove(kept) : add(target)) }
}

export function useFavoriteMutations() {
  const queryClient = useQueryClient()
  const onError = (error: unknown) => {
    notify.error(t('Couldn’t update favorites'), { detail: describeError(error).detail })
    void queryClient.invalidateQueries({ queryKey: queryKeys.favourites })
  }
  const { mutate: add } = useMutation({
    mutationFn: (body: FavoriteTarget & { readonly position?: number }) => call(addFavorite, { body }),
    onSuccess: ({ items }) => take(queryClient, items),
    onError,
  })
  const { mutate: removeOne } = useMutation({
    mutationFn: ({ id }: FavoriteBody) => call(removeFavorite, { params: { favourite: id } }),
    onSuccess: ({ items }) => take(queryClient, items),
    onError,
  })
  const { mutate: order } = useMutation({
    mutationFn: (items: readonly FavoriteBody[]) =>
      call(reorderFavorites, { body: { ids: items.map(({ id }) => id) } }),
    onMutate: (items) => take(queryClient, items),
    onError,
  })
  const remove = (favourite: FavoriteBody): void => {
    const before = queryClient.getQueryData<readonly FavoriteBody[]>(queryKeys.favourites) ?? NONE
    const position = before.findIndex(({ id }) => id === favourite.id)
    const { collection, type, target } = favourite
    const again = { collection, ...(type !== 'collection' && { [type]: target }), position: Math.max(0, position) }
    removeOne(favourite, {
      onSuccess: () => {
        const id = `favourite ${target}`
        const run = () => {
          notify.dismiss(id)
          add(again)
        }
        notify.info(t('{name} removed from favorites', { name: favourite.name || t('Untitled') }), {
          id,
          action: { label: t('Undo'), run },
        })
      },
    })
  }
  return { add, remove, order }
}

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
