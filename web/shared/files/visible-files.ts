import { useEffect, useId, useMemo, useSyncExternalStore } from 'react'
import type { FileBody } from '#api/records.ts'

/** Files of one field of one record. */
export type FilesGroup = {
  /** Stable while visible, whatever the group contains. */
  readonly key: string
  readonly files: readonly FileBody[]
  /** Location in words. */
  readonly place: string
}

export type FilesSource = {
  readonly holding: (file: string) => FilesGroup | undefined
  readonly named: (key: string) => FilesGroup | undefined
}

const sources = new Set<FilesSource>()
const listeners = new Set<() => void>()
let edition = 0
let extraGroups: FilesGroup | undefined
let opening: ((file: string) => void) | undefined

function notifyListeners(): void {
  edition += 1
  for (const listener of listeners) listener()
}

/** Opens the viewer; the group is a fallback if the page doesn't know it. */
export function openFilePreview(file: string, group: FilesGroup): void {
  extraGroups = group
  opening?.(file)
}

/** Registers a group that the page doesn't show. */
export function registerGroup(group: FilesGroup): void {
  extraGroups = group
  notifyListeners()
}

/** Returns a function that unregisters. */
export function onOpenPreview(open: (file: string) => void): () => void {
  opening = open
  return () => {
    if (opening === open) opening = undefined
  }
}

function findGroup(file: string, lastKey: string): FilesGroup | undefined {
  const all = [...sources].toReversed()
  const holding = all.map((source) => source.holding(file)).find((group) => group !== undefined)
  if (holding) return holding
  if (extraGroups?.files.some(({ id }) => id === file)) return extraGroups
  return lastKey === '' ? undefined : all.map((source) => source.named(lastKey)).find((group) => group !== undefined)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The visible group of a file, or its previous one by key. */
export function useGroupOf(file: string, lastKey: string): FilesGroup | undefined {
  useSyncExternalStore(subscribe, () => edition)
  return findGroup(file, lastKey)
}

/** `source` must be stable. */
export function useFilesSource(source: FilesSource): void {
  useEffect(() => {
    sources.add(source)
    notifyListeners()
    return () => {
      sources.delete(source)
      notifyListeners()
    }
  }, [source])
}

export function useVisibleFiles(files: readonly FileBody[], place: string): FilesGroup {
  const id = useId()
  const group = useMemo(() => ({ key: id, files, place }), [id, files, place])
  const source = useMemo<FilesSource>(
    () => ({
      holding: (file) => (group.files.some((each) => each.id === file) ? group : undefined),
      named: (key) => (key === group.key ? group : undefined),
    }),
    [group],
  )
  useFilesSource(source)
  return group
}
