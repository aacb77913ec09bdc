import { useCallback, useSyncExternalStore } from 'react'
import { keep, readKeptJson } from '#web/client/browser-storage.ts'
import { ALL_EXPANDED, type GroupFold } from '#web/kit/grid/group-fold.ts'

/** More groups than these are not remembered one by one: the next visit begins with all of them alike. */
const MOST_KEPT = 500

/** Which groups of the lists of this tab are collapsed, by collection and what it is grouped by. */
const folds = new Map<string, GroupFold>()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The folded groups of a list, the same for its pages and for all of it at once, and the way to change them. */
export function useFold(collectionId: string, by: string): readonly [GroupFold, (fold: GroupFold) => void] {
  const key = `fold.${collectionId}.${by}`
  const fold = useSyncExternalStore(subscribe, () => foldOf(key))
  return [fold, useCallback((next: GroupFold) => setFold(key, next), [key])]
}

function tell(): void {
  for (const listener of listeners) listener()
}

function foldOf(key: string): GroupFold {
  const held = folds.get(key) ?? readFold(readKeptJson(key, 'session'))
  folds.set(key, held)
  return held
}

function setFold(key: string, fold: GroupFold): void {
  folds.set(key, fold)
  const { isCollapsed, except } = fold
  keep(key, JSON.stringify({ isCollapsed, except: except.size > MOST_KEPT ? [] : [...except] }), 'session')
  tell()
}

function readFold(kept: unknown): GroupFold {
  if (typeof kept !== 'object' || kept === null || !('except' in kept) || !Array.isArray(kept.except)) {
    return ALL_EXPANDED
  }
  const isCollapsed = 'isCollapsed' in kept && kept.isCollapsed === true
  return { isCollapsed, except: new Set(kept.except.filter((one) => typeof one === 'string')) }
}
