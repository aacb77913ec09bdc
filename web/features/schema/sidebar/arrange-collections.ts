import { useMutation, useQueryClient } from '@tanstack/react-query'
import { arrangeCollections, type CollectionBody } from '#api/collections.ts'
import { type CollectionAppearance, withAppearance } from '#domain/collections/collection-appearance.ts'
import {
  applySidebarLayout,
  groupsOf,
  type SidebarLayout,
  sidebarLayoutOf,
} from '#domain/collections/sidebar-layout.ts'
import { call } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { t } from '#web/i18n/t.ts'
import type { Reorder } from '#web/shared/reorder/use-reorder.ts'
import { notify } from '#web/ui/toast/notify.ts'

type Placed = Pick<CollectionAppearance, 'group'> & { readonly id: string; readonly label: string }

type SidebarRow<Thing extends Placed> =
  | { readonly key: string; readonly group: string }
  | { readonly key: string; readonly collection: Thing }

export const groupKey = (name: string): string => `group ${name}`

export const sidebarRowsOf = <Thing extends Placed>(list: readonly Thing[]): readonly SidebarRow<Thing>[] =>
  groupsOf(list).flatMap(({ name, members }) => [
    ...(name === null ? [] : [{ key: groupKey(name), group: name }]),
    ...members.map((collection) => ({ key: collection.id, collection })),
  ])

export function blocksOf<Thing extends Placed>(lines: readonly SidebarRow<Thing>[]) {
  const blocks: { readonly name: string | null; readonly members: Thing[] }[] = [{ name: null, members: [] }]
  for (const line of lines) {
    if ('group' in line) blocks.push({ name: line.group, members: [] })
    else blocks.at(-1)?.members.push(line.collection)
  }
  return blocks
}

/** Each collection belongs to the group header above it. */
export const arrangementOfRows = (lines: readonly SidebarRow<Placed>[]): SidebarLayout =>
  blocksOf(lines).map(({ name, members }) => ({ name, collections: members.map(({ id }) => id) }))

export const withGroupOrder = (arrangement: SidebarLayout, names: readonly string[]): SidebarLayout => {
  const placeOf = (name: string | null): number => (name === null ? -1 : names.indexOf(name))
  return arrangement.toSorted((one, other) => placeOf(one.name) - placeOf(other.name))
}

/** Renames a group; null removes the group and leaves its collections ungrouped. */
export function withGroupNamed(arrangement: SidebarLayout, group: string, name: string | null): SidebarLayout {
  const moved = arrangement.find((each) => each.name === group)?.collections ?? []
  const rest = arrangement.filter((each) => each.name !== group)
  const isJoining = rest.some((each) => each.name === name)
  if (!isJoining) return arrangement.map((each) => (each.name === group ? { ...each, name } : each))
  return rest.map((each) => (each.name === name ? { ...each, collections: [...each.collections, ...moved] } : each))
}

/** Moves a collection to the end of a group, creating the group if necessary; null ungroups the collection. */
export function withCollectionIn(arrangement: SidebarLayout, id: string, group: string | null): SidebarLayout {
  const without = arrangement.map((each) => ({ ...each, collections: each.collections.filter((one) => one !== id) }))
  if (!without.some(({ name }) => name === group)) return [...without, { name: group, collections: [id] }]
  return without.map((each) => (each.name === group ? { ...each, collections: [...each.collections, id] } : each))
}

export type SidebarDialog =
  | { readonly type: 'look'; readonly collection: string }
  | { readonly type: 'group'; readonly collection: string }
  | { readonly type: 'rename'; readonly group: string }

export type SidebarRowProps = {
  readonly reorder: Reorder<SidebarRow<CollectionBody>>
  readonly mayArrange: boolean
  /** Record counts by collection id; missing until loaded. */
  readonly counts: ReadonlyMap<string, number>
  readonly onAsk: (question: SidebarDialog) => void
}

const TOAST = 'sidebar-arranged'

/** Updates optimistically with undo, and reverts on failure. */
export function useArrangeCollections(): (wanted: SidebarLayout, said: string) => void {
  const queryClient = useQueryClient()
  const show = (wanted: SidebarLayout): void =>
    void queryClient.setQueryData(collectionsQuery.queryKey, (before) => before && arranged(before, wanted))
  const { mutate } = useMutation({
    mutationFn: (wanted: SidebarLayout) =>
      call(arrangeCollections, {
        body: { groups: wanted.map(({ name, collections }) => ({ name, collections: [...collections] })) },
      }),
    onMutate: show,
    onError: (error) =>
      void notify.error(t('Couldn’t update the sidebar'), { id: TOAST, detail: describeError(error).detail }),
    onSettled: () => queryClient.invalidateQueries(collectionsQuery),
  })
  return (wanted, said) => {
    const before = sidebarLayoutOf(queryClient.getQueryData(collectionsQuery.queryKey) ?? [])
    const run = () => {
      notify.dismiss(TOAST)
      mutate(before)
    }
    notify.dismiss(TOAST)
    mutate(wanted, {
      onSuccess: () => void notify.success(said, { id: TOAST, action: { label: t('Undo'), run } }),
    })
  }
}

function arranged(collections: readonly CollectionBody[], wanted: SidebarLayout): readonly CollectionBody[] {
  const checked = applySidebarLayout(collections, wanted)
  if (!checked.ok) return collections
  const byId = new Map(collections.map((each) => [each.id, each]))
  return checked.value.flatMap(({ id, group }) => {
    const collection = byId.get(id)
    return collection ? withAppearance(collection, { group: group ?? null }) : []
  })
}
