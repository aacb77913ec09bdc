import { ActionIcon } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { readStoredJson, setStored } from '#web/data/storage/browser-storage.ts'
import { numberText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'
import { CollectionIcon } from '#web/shared/collection-icon/collection-icon.tsx'
import { type Reorder, useReorder } from '#web/shared/reorder/use-reorder.ts'
import { IconChevronDown, IconDots, IconGripVertical } from '#web/ui/icons/frame.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import {
  arrangementOfRows,
  blocksOf,
  groupKey,
  type SidebarRowProps,
  sidebarRowsOf,
  useArrangeCollections,
  withGroupOrder,
} from './arrange-collections.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

type CollectionRowProps = { readonly collection: CollectionBody; readonly around: SidebarRowProps }

function CollectionRow({ collection, around }: CollectionRowProps) {
  const { reorder, mayArrange, counts } = around
  const { id, name, label, description } = collection
  const line = { key: id, collection }
  const count = counts.get(id)
  const moveByKeys = (event: KeyboardEvent) => {
    const step = event.altKey ? STEPS[event.key] : undefined
    const at = reorder.order.find(({ key }) => key === id)
    if (step === undefined || !mayArrange || !at) return
    event.preventDefault()
    reorder.move(at, step)
  }
  return (
    <li className="sidebar-line" {...reorder.itemProps(line)}>
      {mayArrange && <Handle line={line} reorder={reorder} />}
      <Link
        to="/collections/$collection"
        params={{ collection: name }}
        className="sidebar-link"
        activeOptions={{ exact: false, includeSearch: false }}
        onKeyDown={moveByKeys}
        {...(count !== undefined && { 'aria-description': plural(count, '{n} record', '{n} records') })}
        {...(mayArrange && { 'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown' })}
      >
        <CollectionIcon look={collection} />
        <span title={description === undefined ? label : `${label}\n${description}`}>{label}</span>
        {count !== undefined && (
          <small className="sidebar-count tabular" aria-hidden>
            {numberText(count)}
          </small>
        )}
      </Link>
      <MenuButton
        part={menuItems}
        position="bottom-start"
        widthPx={232}
        items={({ SidebarMenuItems }) => <SidebarMenuItems collection={collection} around={around} />}
        button={(button) => (
          <ActionIcon
            {...button}
            size="sm"
            className="sidebar-line-more"
            aria-label={t('Actions for {label}', { label })}
          >
            <IconDots size={16} stroke={1.5} />
          </ActionIcon>
        )}
      />
    </li>
  )
}

type HandleProps = Pick<SidebarRowProps, 'reorder'> & {
  readonly line: { readonly key: string; readonly collection: CollectionBody }
}

/** The icon is the drag handle, and clicking it opens the collection. Keyboard users move the link itself. */
function Handle({ line, reorder }: HandleProps) {
  const at = reorder.order.find(({ key }) => key === line.key) ?? line
  return (
    <button
      {...reorder.handleProps(at)}
      tabIndex={-1}
      onClick={({ currentTarget }) => currentTarget.parentElement?.querySelector('a')?.click()}
    >
      <IconGripVertical size={14} stroke={1.5} aria-hidden />
    </button>
  )
}

const menuItems = lazyModule(() => import('./sidebar-menu-items.tsx'))

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
  /** Whether to list collections without groups, as when filtering. */
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

/** One list with two kinds of reordering: collections across all rows, and groups with their members. */
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
      // Expands the target group, so that the moved collection remains visible.
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
            part={menuItems}
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
