import { createStore, delMany, entries, set, setMany, update } from 'idb-keyval'
import { UPLOADS_DATABASE, UPLOADS_STORE } from '#web/data/storage/clear-databases.ts'
import type { UploadPlace } from '#web/data/uploads/upload-types.ts'
import { quoted } from '#web/i18n/quoted.ts'
import { t } from '#web/i18n/t.ts'

/** Identifies a file by its size, modification time and samples of its content. */
export type FileFingerprint = {
  readonly name: string
  readonly bytes: number
  readonly lastModified: number
  readonly content: string
}

/** Size in bytes of each sample, taken at the start, middle and end. */
const SAMPLE_BYTES = 64 * 1024

export function samplesOf(bytes: number): readonly (readonly [number, number])[] {
  if (bytes <= 3 * SAMPLE_BYTES) return [[0, bytes]]
  const middle = Math.floor((bytes - SAMPLE_BYTES) / 2)
  return [
    [0, SAMPLE_BYTES],
    [middle, middle + SAMPLE_BYTES],
    [bytes - SAMPLE_BYTES, bytes],
  ]
}

export async function fingerprintOf(file: File): Promise<FileFingerprint> {
  const { name, size, lastModified } = file
  const samples = await Promise.all(samplesOf(size).map(([from, to]) => file.slice(from, to).arrayBuffer()))
  return { name, bytes: size, lastModified, content: samples.map((sample) => digest(new Uint8Array(sample))).join('-') }
}

/**
 * A 64-bit digest in two lanes, which detects mistakes but not attacks. The Web Crypto API isn't available without TLS.
 */
export function digest(bytes: Uint8Array): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (const byte of bytes) {
    high = Math.imul(high ^ byte, 2654435761)
    low = Math.imul(low ^ byte, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return [high, low].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
}

/**
 * Explains in a sentence why a reselected file isn't the original; undefined if it is. A copy with the same bytes can
 * have a different date, so the date is used only if the samples are inconclusive.
 */
export function differenceOf(begun: FileFingerprint, chosen: FileFingerprint): string | undefined {
  const name = quoted(begun.name)
  if (chosen.bytes !== begun.bytes)
    return t('This is a different file: {name} has {bytes} bytes, but this one has {bytes2}.', {
      name,
      bytes: begun.bytes,
      bytes2: chosen.bytes,
    })
  if (chosen.content !== begun.content)
    return t('This is a different file, or {name} has changed: the content differs.', { name })
  if (chosen.name !== begun.name && chosen.lastModified !== begun.lastModified)
    return t('This is a different file: its name is “{name}” and its modification date differs from that of {name2}.', {
      name: chosen.name,
      name2: name,
    })
  return undefined
}

export type StoredUpload = {
  readonly id: string
  readonly userId: string
  readonly tab: string
  readonly place: UploadPlace
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly url: string | null
  readonly safeBytes: number
  readonly print: FileFingerprint | null
  readonly fileId: string | null
  readonly isPaused: boolean
  readonly atMs: number
}

export type FoundUpload = { readonly kept: StoredUpload; readonly file: File | undefined }

/**
 * Files larger than this, in bytes, aren't copied to browser storage; after a reload, the user must select them again.
 */
const MAX_FILE_BYTES = 500_000_000

/** Maximum fraction of the free browser storage to use. */
const QUOTA_SHARE = 0.5

/** Age in ms after which uploads are dropped; by then, the server has long deleted its partial data. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000

const factsKey = (id: string) => `upload ${id}`
const bytesKey = (id: string) => `bytes ${id}`

const isFacts = (value: unknown): value is StoredUpload =>
  typeof value === 'object' && value !== null && 'userId' in value && 'place' in value

/** Stores uploads so that they survive reloads; always empty if browser storage is unavailable. */
export type UploadStorage = ReturnType<typeof openUploadStorage>

/** Opens the upload storage. `keepBytes` returns whether it could store the bytes. */
export function openUploadStorage() {
  const store = createStore(UPLOADS_DATABASE, UPLOADS_STORE)
  const quietly = (work: Promise<unknown>): Promise<void> => work.then(nothing, nothing)
  const all = () =>
    entries<string, unknown>(store).then(
      (found) => found,
      (): [string, unknown][] => [],
    )

  return {
    keep: (uploads: readonly StoredUpload[]) =>
      quietly(
        setMany(
          uploads.map((kept): [string, StoredUpload] => [factsKey(kept.id), kept]),
          store,
        ),
      ),
    keepBytes: async (id: string, file: File): Promise<boolean> => {
      if (file.size > MAX_FILE_BYTES || file.size > (await quotaLeft())) return false
      return set(bytesKey(id), file, store).then(
        () => true,
        () => false,
      )
    },
    drop: (ids: readonly string[]) =>
      quietly(
        delMany(
          ids.flatMap((id) => [factsKey(id), bytesKey(id)]),
          store,
        ),
      ),
    isEmpty: async (): Promise<boolean> => (await all()).length === 0,
    /** Claims this user's uploads that no open tab is sending. */
    adopt: async (userId: string, tab: string, isAlive: (tab: string) => boolean, nowMs: number) => {
      const found = new Map(await all())
      const taken: FoundUpload[] = []
      for (const value of found.values()) {
        if (!isFacts(value) || value.userId !== userId || isAlive(value.tab)) continue
        const isMine = nowMs - value.atMs < MAX_AGE_MS && (await claim(store, value, tab))
        const file = found.get(bytesKey(value.id))
        if (isMine) taken.push({ kept: { ...value, tab }, file: file instanceof File ? file : undefined })
      }
      return taken.toSorted((one, other) => one.kept.atMs - other.kept.atMs)
    },
    /** Deletes expired uploads, uploads of other users, and bytes that don't belong to an upload. */
    keepOnly: async (userId: string, nowMs: number): Promise<boolean> => {
      const found = await all()
      const facts = found.flatMap(([, value]) => (isFacts(value) ? value : []))
      const own = facts.filter((kept) => kept.userId === userId && nowMs - kept.atMs < MAX_AGE_MS)
      const keys = new Set(own.flatMap(({ id }) => [factsKey(id), bytesKey(id)]))
      await quietly(
        delMany(
          found.map(([key]) => key).filter((key) => !keys.has(key)),
          store,
        ),
      )
      return own.length > 0
    },
  }
}

const nothing = (): void => undefined

type Store = ReturnType<typeof createStore>

/** If several tabs start at the same time, only one of them can claim an upload. */
async function claim(store: Store, seen: StoredUpload, tab: string): Promise<boolean> {
  let isMine = false
  await update<StoredUpload | undefined>(
    factsKey(seen.id),
    (now) => {
      isMine = now !== undefined && now.tab === seen.tab
      return isMine ? { ...seen, tab } : now
    },
    store,
  ).then((done) => done, nothing)
  return isMine
}

/** Remaining storage capacity in bytes. Unknown without TLS; the browser then rejects data that doesn't fit. */
async function quotaLeft(): Promise<number> {
  const said = await navigator.storage?.estimate().then((done) => done, nothing)
  if (said?.quota === undefined) return MAX_FILE_BYTES
  return (said.quota - (said.usage ?? 0)) * QUOTA_SHARE
}
