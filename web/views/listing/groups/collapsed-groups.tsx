import { Button } from '@mantine/core'
import { useCallback } from 'react'
import { readStoredJson, setStored } from '#web/data/storage/browser-storage.ts'
import { t } from '#web/i18n/t.ts'
import { ALL_COLLAPSED, ALL_EXPANDED, type CollapsedGroups } from '#web/ui/grid/groups/group-rows.ts'
import { IconFold } from '#web/ui/icons/general.ts'
import { createStore, type Store, useStore } from '#web/ui/store.ts'

/**
 * Maximum number of groups whose collapsed state is stored; above it, the next visit starts with all groups collapsed
 * or all expanded.
 */
const MAX_REMEMBERED = 500

const stores = new Map<string, Store<CollapsedGroups>>()

function storeOf(key: string): Store<CollapsedGroups> {
  const store = stores.get(key) ?? createStore(readCollapsedGroups(readStoredJson(key, 'session')))
  stores.set(key, store)
  return store
}

export function useCollapsedGroups(
  collectionId: string,
  by: string,
): readonly [CollapsedGroups, (collapsed: CollapsedGroups) => void] {
  const key = `fold.${collectionId}.${by}`
  return [useStore(storeOf(key)), useCallback((next: CollapsedGroups) => setCollapsedGroups(key, next), [key])]
}

function setCollapsedGroups(key: string, collapsed: CollapsedGroups): void {
  const { isCollapsed, except } = collapsed
  setStored(key, JSON.stringify({ isCollapsed, except: except.size > MAX_REMEMBERED ? [] : [...except] }), 'session')
  storeOf(key).set(collapsed)
}

function readCollapsedGroups(kept: unknown): CollapsedGroups {
  if (typeof kept !== 'object' || kept === null || !('except' in kept) || !Array.isArray(kept.except)) {
    return ALL_EXPANDED
  }
  const isCollapsed = 'isCollapsed' in kept && kept.isCollapsed === true
  return { isCollapsed, except: new Set(kept.except.filter((one) => typeof one === 'string')) }
}

export function CollapseAll({ collectionId, by }: { readonly collectionId: string; readonly by: string }) {
  const [fold, setFold] = useCollapsedGroups(collectionId, by)
  const isAllOpen = !fold.isCollapsed && fold.except.size === 0
  return (
    <Button
      size="sm"
      variant="subtle"
      color="gray"
      leftSection={<IconFold size={16} stroke={1.5} />}
      onClick={() => setFold(isAllOpen ? ALL_COLLAPSED : ALL_EXPANDED)}
    >
      {isAllOpen ? t('Collapse all') : t('Expand all')}
    </Button>
  )
}
