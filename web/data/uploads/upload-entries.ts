import { createStore } from '#web/ui/store.ts'
import { NO_UPLOADS, type SpeedMeter, targetKey, type UploadJob, type UploadTarget } from './upload-types.ts'
import type { FileFingerprint, StoredUpload } from './persistence/upload-storage.ts'

export type UploadEntry = Omit<UploadJob, 'bytesPerSecond'> & {
  readonly userId: string
  readonly file: File | undefined
  readonly url: string | null
  readonly safeBytes: number
  readonly meter: SpeedMeter
  readonly print: FileFingerprint | null
  readonly isKept: boolean
  readonly fileId: string | null
  readonly atMs: number
}

/** Minimum interval in ms between change notifications. */
const NOTIFY_INTERVAL_MS = 60

export type UploadEntries = ReturnType<typeof createUploadEntries>

export function createUploadEntries() {
  const entries = new Map<string, UploadEntry>()
  const shown = createStore(NO_UPLOADS)
  let done = { doneFiles: 0, doneBytes: 0 }
  let timer: ReturnType<typeof setTimeout> | undefined

  function tell() {
    timer = undefined
    shown.set({ jobs: [...entries.values()].map(jobOf), ...done })
  }
  const tellSoon = () => {
    timer ??= setTimeout(tell, NOTIFY_INTERVAL_MS)
  }

  return {
    get: (id: string) => entries.get(id),
    all: (): readonly UploadEntry[] => [...entries.values()],
    of: (target: UploadTarget): readonly UploadEntry[] =>
      [...entries.values()].filter(({ place }) => targetKey(place) === targetKey(target)),
    add: (added: readonly UploadEntry[]) => {
      if (entries.size === 0) done = { doneFiles: 0, doneBytes: 0 }
      for (const entry of added) entries.set(entry.id, entry)
      tellSoon()
    },
    patch: (id: string, part: Partial<UploadEntry>) => {
      const entry = entries.get(id)
      if (!entry) return
      entries.set(id, { ...entry, ...part })
      tellSoon()
    },
    drop: (id: string, hasArrived: boolean) => {
      const entry = entries.get(id)
      if (!entry) return
      entries.delete(id)
      if (hasArrived) done = { doneFiles: done.doneFiles + 1, doneBytes: done.doneBytes + entry.bytes }
      tellSoon()
    },
    clear: () => {
      entries.clear()
      done = { doneFiles: 0, doneBytes: 0 }
      tellSoon()
    },
    shown,
  }
}

function jobOf(entry: UploadEntry): UploadJob {
  const { id, mark, place, name, path, bytes, sentBytes, state, failure, note, meter } = entry
  const bytesPerSecond = state === 'sending' ? meter.bytesPerSecond : 0
  return { id, mark, place, name, path, bytes, sentBytes, state, failure, note, bytesPerSecond }
}

export function storedEntryOf(entry: UploadEntry, tab: string): StoredUpload {
  const { id, userId, place, name, path, bytes, url, safeBytes, print, fileId, state, atMs } = entry
  return {
    id,
    userId,
    tab,
    place,
    name,
    path,
    bytes,
    url,
    safeBytes,
    print,
    fileId,
    isPaused: state === 'paused',
    atMs,
  }
}
