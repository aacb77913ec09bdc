import { createStore, delMany, entries, set, setMany, update } from 'idb-keyval'
import { UPLOADS_DATABASE, UPLOADS_STORE } from '#web/data/storage/clear-databases.ts'
import type { UploadPlace } from '#web/data/uploads/upload-types.ts'
import { quoted } from '#web/i18n/quoted.ts'
import { t } from '#web/i18n/t.ts'

/** What tells a file from another one of the same name: its size, when it was last changed, and some of its bytes. */
export type FileFingerprint = {
  readonly name: string
  readonly bytes: number
  readonly lastModified: number
  /** Of its beginning, middle and end. */
  readonly content: string
}

/** So much is read at the beginning, in the middle and at the end, in bytes. */
const SAMPLE_BYTES = 64 * 1024

/** Where a file of that size is looked at: from, to. */
export function samplesOf(bytes: number): readonly (readonly [number, number])[] {
  if (bytes <= 3 * SAMPLE_BYTES) return [[0, bytes]]
  const middle = Math.floor((bytes - SAMPLE_BYTES) / 2)
  return [
    [0, SAMPLE_BYTES],
    [middle, middle + SAMPLE_BYTES],
    [bytes - SAMPLE_BYTES, bytes],
  ]
}

/** A file's print; fails where the file cannot be read. */
export async function fingerprintOf(file: File): Promise<FileFingerprint> {
  const { name, size, lastModified } = file
  const samples = await Promise.all(samplesOf(size).map(([from, to]) => file.slice(from, to).arrayBuffer()))
  return { name, bytes: size, lastModified, content: samples.map((sample) => digest(new Uint8Array(sample))).join('-') }
}

/**
 * 64 bits of what the bytes are, in two lanes. It guards against mistakes, not against forgers, who would only harm their
 * own file; the browser's own digests are missing on pages without TLS.
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
 * Why a file that was chosen again is not the one that was begun, in a sentence; undefined when it is. A copy of the same
 * bytes may bear another date, so the date counts only where the rest does not settle it.
 */
export function differenceOf(begun: FileFingerprint, chosen: FileFingerprint): string | undefined {
  const name = quoted(begun.name)
  if (chosen.bytes !== begun.bytes)
    return t('This is a different file: {name} has {bytes} bytes, this one has {bytes2}.', {
      name,
      bytes: begun.bytes,
      bytes2: chosen.bytes,
    })
  if (chosen.content !== begun.content)
    return t('This is a different file, or {name} has changed: the content differs.', { name })
  if (chosen.name !== begun.name && chosen.lastModified !== begun.lastModified)
    return t('This is a different file: its name is “{name}” and its modification date differs from {name2}.', {
      name: chosen.name,
      name2: name,
    })
  return undefined
}

/** What is kept of an upload beyond this page, beside the bytes of its file. */
export type StoredUpload = {
  readonly id: string
  readonly userId: string
  /** The tab that sends it. */
  readonly tab: string
  readonly place: UploadPlace
  readonly name: string
  readonly path: string
  readonly bytes: number
  /** The address under which it was begun. */
  readonly url: string | null
  /** So many bytes were safe on the server when it was last written down. */
  readonly safeBytes: number
  /** Of a file whose bytes are not kept. */
  readonly print: FileFingerprint | null
  /** The file on the server, once it has arrived and is yet to be put into its record. */
  readonly fileId: string | null
  readonly isPaused: boolean
  /** When it was added, ms. */
  readonly atMs: number
}

/** An upload that was found on the shelf, with its file where its bytes were kept. */
export type FoundUpload = { readonly kept: StoredUpload; readonly file: File | undefined }

/** A larger file is not copied into the browser: it is asked for again after a reload, in bytes. */
const MAX_FILE_BYTES = 500_000_000

/** So much of what the browser still has room for may be taken. */
const QUOTA_SHARE = 0.5

/** What nobody came back to for so long is dropped, in ms. The server has forgotten its part long before. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000

const factsKey = (id: string) => `upload ${id}`
const bytesKey = (id: string) => `bytes ${id}`

const isFacts = (value: unknown): value is StoredUpload =>
  typeof value === 'object' && value !== null && 'userId' in value && 'place' in value

/** The shelf of this browser, where uploads wait through a reload. Where the browser keeps nothing it is always empty. */
export type UploadStorage = ReturnType<typeof openUploadStorage>

/** Opens the shelf. What it cannot keep is lost with the page, and `keepBytes` says so. */
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
    /** Keeps the bytes of a file, too; answers whether they are kept. */
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
    /** Takes over what this person left here and no living tab sends. */
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
    /** Drops what anybody else left here, what is too old, and bytes that belong to nothing. */
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

/** Of two tabs that start at the same time, one gets it. */
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

/** How much more may be kept, in bytes. Pages without TLS are not told; the browser refuses what is too much. */
async function quotaLeft(): Promise<number> {
  const said = await navigator.storage?.estimate().then((done) => done, nothing)
  if (said?.quota === undefined) return MAX_FILE_BYTES
  return (said.quota - (said.usage ?? 0)) * QUOTA_SHARE
}
