import { useMergedRef } from '@mantine/hooks'
import type { CollectionBody } from '#api/collections.ts'
import { type Reorder, useReorder } from '#web/shared/reorder/use-reorder.ts'
import { plural, t } from '#web/i18n/t.ts'
import { CollectionRow } from './collection-row.tsx'
import {
  type SidebarRowProps,
  arrangementOfRows,
  blocksOf,
  groupKey,
  sidebarRowsOf,
  withGroupOrder,
} from './sidebar-rows.ts'
import { useArrangeCollections } from './use-arrange-collections.ts'
import { useId, useState } from 'react'
import { readStoredJson, setStored } from '#web/data/storage/browser-storage.ts'
import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconDots, IconGripVertical } from '#web/ui/icons/frame.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'

const STORAGE_KEY = 'sidebar.folded'

const readStoredGroups = (): readonly string[] => {
  const names = readStoredJson(STORAGE_KEY)
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

function useCollapsedGroups() {
  const [folded, setFolded] = useState(readStoredGroups)
  return {
    isFolded: (name: string): boolean => folded.includes(name),
    fold: (name: string, isFolded: boolean): void => {
      const next = isFolded ? [...folded, name] : folded.filter((each) => each !== name)
      setFolded(next)
      setStored(STORAGE_KEY, JSON.stringify(next))
    },
  }
}

type SidebarGroupsProps = Omit<SidebarRowProps, 'reorder'> & {
  readonly collections: readonly CollectionBody[]
  /** Search results without groups. */
  readonly isFlat: boolean
}

export function SidebarGroups({ collections, isFlat, ...rest }: SidebarGroupsProps) {
  const { isFolded, fold } = useCollapsedGroups()
  const { lines, groups } = useOrders(collections, (name) => fold(name, false))
  const listRef = useMergedRef(lines.listRef, groups.listRef)
  const around: SidebarRowProps = { ...rest, reorder: lines }
  const shown = blocksOf(lines.order)
  const inOrder = groups.draggedKey === undefined ? shown : withBlocksIn(shown, groups.order)
  if (isFlat) {
    return (
      <ul>
        {collections.map((collection) => (
          <CollectionRow key={collection.id} collection={collection} around={around} />
        ))}
      </ul>
    )
  }
  return (
    <>
      <ul ref={listRef}>
        {inOrder.flatMap(({ name, members }) =>
          name === null ? (
            members.map((collection) => <CollectionRow key={collection.id} collection={collection} around={around} />)
          ) : (
            <SidebarGroup
              key={groupKey(name)}
              name={name}
              members={members}
              around={around}
              groups={groups}
              isFolded={isFolded(name)}
              onFold={(next) => fold(name, next)}
            />
          ),
        )}
      </ul>
      <span role="status" className="visually-hidden">
        {lines.announcement || groups.announcement}
      </span>
    </>
  )
}

type Blocks = ReturnType<typeof blocksOf<CollectionBody>>

const withBlocksIn = (blocks: Blocks, names: readonly string[]): Blocks =>
  blocks.toSorted((one, other) => placeIn(names, one.name) - placeIn(names, other.name))

const placeIn = (names: readonly string[], name: string | null): number => (name === null ? -1 : names.indexOf(name))

/** Two orders of one list: collections in all rows, and groups with their members. */
function useOrders(collections: readonly CollectionBody[], onOpenGroup: (name: string) => void) {
  const arrange = useArrangeCollections()
  const items = sidebarRowsOf(collections)
  const lines = useReorder({
    items,
    keyOf: ({ key }) => key,
    nameOf: (line) => ('group' in line ? line.group : line.collection.label),
    onReorder: (next, { item }) => {
      if ('group' in item) return
      const arrangement = arrangementOfRows(next)
      const group = arrangement.find(({ collections: ids }) => ids.includes(item.collection.id))?.name ?? null
      // Keeps the moved collection visible.
      if (group !== null) onOpenGroup(group)
      arrange(arrangement, describeMove(item.collection, group))
    },
  })
  const groups = useReorder({
    items: items.flatMap((line) => ('group' in line ? line.group : [])),
    keyOf: groupKey,
    nameOf: (name) => name,
    onReorder: (names, { item }) =>
      arrange(withGroupOrder(arrangementOfRows(items), names), t('Group {name} moved', { name: item })),
  })
  return { lines, groups }
}

function describeMove({ label, group }: CollectionBody, after: string | null): string {
  if ((group ?? null) === after) return t('{label} moved', { label })
  return after === null
    ? t('{label} removed from its group', { label })
    : t('{label} moved to {group}', { label, group: after })
}

const items = lazyModule(() => import('./sidebar-menu-items.tsx'))

type SidebarGroupProps = {
  readonly name: string
  readonly members: readonly CollectionBody[]
  readonly around: SidebarRowProps
  readonly groups: Reorder<string>
  readonly isFolded: boolean
  readonly onFold: (isFolded: boolean) => void
}

function SidebarGroup({ name, members, around, groups, isFolded, onFold }: SidebarGroupProps) {
  const id = useId()
  return (
    <li className="sidebar-group" {...groups.itemProps(name)}>
      <div className="sidebar-line sidebar-group-head">
        {around.mayArrange && (
          <button {...groups.handleProps(name)}>
            <IconGripVertical size={14} stroke={1.5} aria-hidden />
          </button>
        )}
        <button
          type="button"
          className="sidebar-fold"
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={() => onFold(!isFolded)}
        >
          <IconChevronDown size={14} stroke={1.75} aria-hidden />
          <span id={`${id}-name`} title={name}>
            {name}
          </span>
          {isFolded && (
            <small className="sidebar-count">
              <span aria-hidden>{members.length}</span>
              <span className="visually-hidden">{plural(members.length, '{n} collection', '{n} collections')}</span>
            </small>
          )}
        </button>
        {around.mayArrange && (
          <MenuButton
            part={items}
            position="bottom-start"
            widthPx={208}
            items={({ GroupMenuItems }) => <GroupMenuItems name={name} groups={groups} onAsk={around.onAsk} />}
            button={(button) => (
              <ActionIcon
                {...button}
                size="sm"
                className="sidebar-line-more"
                aria-label={t('Actions for group {name}', { name })}
              >
                <IconDots size={16} stroke={1.5} />
              </ActionIcon>
            )}
          />
        )}
      </div>
      <ul id={id} aria-labelledby={`${id}-name`} hidden={isFolded}>
        {!isFolded &&
          members.map((collection) => <CollectionRow key={collection.id} collection={collection} around={around} />)}
      </ul>
    </li>
  )
}
