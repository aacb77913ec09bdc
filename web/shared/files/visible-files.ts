import { useEffect, useId, useMemo, useSyncExternalStore } from 'react'
import type { FileBody } from '#api/records.ts'

/** Files that belong together: those of one field of one record. */
export type FilesGroup = {
  /** Names the group for as long as it is in sight, whatever is in it. */
  readonly key: string
  readonly files: readonly FileBody[]
  /** Where they stand, in words. */
  readonly place: string
}

/** A part of the page that shows files. */
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

/** Opens the viewer at a file. What the group holds later is asked of the page; where it does not know it, this stays. */
export function openFilePreview(file: string, group: FilesGroup): void {
  extraGroups = group
  opening?.(file)
}

/** Says what a file belongs to that nothing in the page shows. */
export function registerGroup(group: FilesGroup): void {
  extraGroups = group
  notifyListeners()
}

/** Says how the viewer is opened; gives the way to take that back. */
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

/** The group in sight that a file belongs to, or belonged to a moment ago under this name. */
export function useGroupOf(file: string, lastKey: string): FilesGroup | undefined {
  useSyncExternalStore(subscribe, () => edition)
  return findGroup(file, lastKey)
}

/** Puts what a part of the page shows in sight. Another source takes the place of this one: keep it stable. */
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

/** Puts the files of one field in sight, to be looked at. */
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
