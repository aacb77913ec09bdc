import { useCallback, useSyncExternalStore } from 'react'
import { setStored, readStoredJson } from '#web/data/storage/browser-storage.ts'
import { ALL_EXPANDED, type CollapsedGroups } from '#web/ui/grid/groups/collapsed-groups.ts'

/** Maximum number of remembered groups; above it the next visit starts with all of them alike. */
const MAX_REMEMBERED = 500

const collapsedByList = new Map<string, CollapsedGroups>()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useCollapsedGroups(
  collectionId: string,
  by: string,
): readonly [CollapsedGroups, (fold: CollapsedGroups) => void] {
  const key = `fold.${collectionId}.${by}`
  const fold = useSyncExternalStore(subscribe, () => collapsedGroupsOf(key))
  return [fold, useCallback((next: CollapsedGroups) => setCollapsedGroups(key, next), [key])]
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

function collapsedGroupsOf(key: string): CollapsedGroups {
  const held = collapsedByList.get(key) ?? readCollapsedGroups(readStoredJson(key, 'session'))
  collapsedByList.set(key, held)
  return held
}

function setCollapsedGroups(key: string, fold: CollapsedGroups): void {
  collapsedByList.set(key, fold)
  const { isCollapsed, except } = fold
  setStored(key, JSON.stringify({ isCollapsed, except: except.size > MAX_REMEMBERED ? [] : [...except] }), 'session')
  notifyListeners()
}

function readCollapsedGroups(kept: unknown): CollapsedGroups {
  if (typeof kept !== 'object' || kept === null || !('except' in kept) || !Array.isArray(kept.except)) {
    return ALL_EXPANDED
  }
  const isCollapsed = 'isCollapsed' in kept && kept.isCollapsed === true
  return { isCollapsed, except: new Set(kept.except.filter((one) => typeof one === 'string')) }
}
