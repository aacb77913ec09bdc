import { createStore, delMany, entries, set, setMany, update } from 'idb-keyval'
import type { FileFingerprint } from './file-fingerprint.ts'
import { UPLOADS_DATABASE, UPLOADS_STORE } from './clear-uploads.ts'
import type { UploadPlace } from '#web/data/uploads/upload-types.ts'

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
