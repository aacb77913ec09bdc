import { useEffect, useId, useMemo } from 'react'
import type { FileBody } from '#api/records.ts'
import { createStore, useStore } from '#web/ui/store.ts'

/** The files in one field of a record. */
export type FilesGroup = {
  /** Must stay the same while the group is visible, even if its files change. */
  readonly key: string
  readonly files: readonly FileBody[]
  /** The location of the files, as shown to the user. */
  readonly place: string
}

export type FilesSource = {
  readonly holding: (file: string) => FilesGroup | undefined
  readonly named: (key: string) => FilesGroup | undefined
}

const sources = new Set<FilesSource>()
/** Incremented when the visible groups change. */
const version = createStore(0)
let extraGroups: FilesGroup | undefined
let opening: ((file: string) => void) | undefined

const notifyListeners = (): void => version.set(version.get() + 1)

/** Opens the viewer; the given group is used if the page doesn't contain the file. */
export function openFilePreview(file: string, group: FilesGroup): void {
  extraGroups = group
  opening?.(file)
}

/** Registers a group that isn't on the page. */
export function registerGroup(group: FilesGroup): void {
  extraGroups = group
  notifyListeners()
}

/** Returns an unsubscribe function. */
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

export function useGroupOf(file: string, lastKey: string): FilesGroup | undefined {
  useStore(version)
  return findGroup(file, lastKey)
}

/** `source` must be a stable function. */
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
