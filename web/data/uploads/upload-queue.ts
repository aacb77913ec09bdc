import { connectionState } from '#web/data/connection/connection-state.ts'
import { joinActiveTabs } from '#web/data/session/active-tabs.ts'
import { type Attached, attachFiles, writeIntoDocument } from './attach-files.ts'
import { UPLOADS_DATABASE } from '#web/data/storage/clear-databases.ts'
import {
  differenceOf,
  type FileFingerprint,
  fingerprintOf,
  type FoundUpload,
  openUploadStorage,
  type UploadStorage,
} from './persistence/upload-storage.ts'
import { UPLOAD } from '#domain/specification.ts'
import { t } from '#web/i18n/t.ts'
import { type AttachedEvent, createFinishedUploads, type UploadReceiver } from './finished-uploads.ts'
import { createUploadEntries, storedEntryOf, type UploadEntry } from './upload-entries.ts'
import {
  isMoving,
  type RecordPlace,
  type SelectedFile,
  startMeter,
  type UploadedFile,
  type UploadPlace,
  type UploadTarget,
} from './upload-types.ts'
import { findUnsent, hasUnsent, loadUnsent, unsentState } from '#web/data/unsent/unsent-state.ts'
import { abandonUpload, type RunDeps, runUpload, sendUpload } from './transfer/run-upload.ts'

export type QueueDeps = RunDeps & {
  readonly tab: string
  readonly shelf: Pick<UploadStorage, 'keep' | 'keepBytes' | 'drop'>
  readonly newId: () => string
  readonly abandon: (url: string) => Promise<void>
  readonly attach: (place: RecordPlace, files: readonly UploadedFile[]) => Promise<Attached>
  readonly takerOf: (target: UploadTarget) => UploadReceiver | undefined
  readonly onAttached: (news: AttachedEvent) => void
  readonly onRefused: (entry: UploadEntry, why: string) => void
  /** Whether the record hasn't been created on the server yet. */
  readonly isHeld: (place: UploadPlace) => boolean
}

/** The upload queue of this tab, with all files of all fields; uploads at most two files concurrently. */
export function createUploadQueue(deps: QueueDeps) {
  const entries = createUploadEntries()
  let userId = ''
  let isHalted = true

  const keep = (id: string): void => {
    const entry = entries.get(id)
    if (entry?.place.record !== undefined) void deps.shelf.keep([storedEntryOf(entry, deps.tab)])
  }
  const drop = (id: string, hasArrived: boolean): void => {
    entries.drop(id, hasArrived)
    void deps.shelf.drop([id])
  }
  const arrivals = createFinishedUploads({ ...deps, entries, keep, drop, isHalted: () => isHalted })

  const { pump, stop } = createUploadSlots({
    waiting: () =>
      isHalted ? [] : entries.all().filter(({ state, place }) => state === 'waiting' && !deps.isHeld(place)),
    run: (id, signal) => runUpload({ ...deps, entries, keep }, id, signal),
    onArrived: (id) => {
      const entry = entries.get(id)
      if (entry) arrivals.deliver(entry.place)
    },
  })

  const queue = { deps, entries, keep, drop, pump, stop, deliver: arrivals.deliver }
  return {
    get: entries.shown.get,
    subscribe: entries.shown.subscribe,
    countFor: (target: UploadTarget) => entries.of(target).length,
    wouldLose: () => entries.all().some(wouldBeLost),
    add: (place: UploadPlace, picked: readonly SelectedFile[]) => addFiles(queue, userId, { place, picked }),
    pump,
    ...commandsOf(queue),
    /** Starts the queue for a user: resumes the user's uploads and drops those of other users. */
    begin: (user: string, found: readonly FoundUpload[]) => {
      if (userId !== user) entries.clear()
      userId = user
      isHalted = false
      entries.add(found.filter(({ kept }) => !entries.get(kept.id)).map((each) => entryOf(each, deps.nowMs())))
      for (const entry of entries.all()) {
        // Uploads paused because of a missing session have a note; those paused by the user don't.
        if (entry.note !== null && entry.state === 'paused') entries.patch(entry.id, { state: 'waiting', note: null })
        if (entry.state === 'storing') arrivals.deliver(entry.place)
      }
      pump()
    },
    moveToRecord: async (from: string, to: string): Promise<void> => {
      const moved = entries.all().filter(({ place }) => place.record === from)
      for (const { id, place } of moved) entries.patch(id, { place: { ...place, record: to } })
      const stored = moved.flatMap(({ id }) => entries.get(id) ?? [])
      await deps.shelf.keep(stored.map((entry) => storedEntryOf(entry, deps.tab)))
      pump()
    },
    /** Stops the queue on sign-out. `forget`: the user chose to sign out, so stored uploads are deleted. */
    halt: (forget: boolean) => {
      isHalted = true
      for (const { id, state } of entries.all()) {
        stop(id)
        if (isMoving({ state }) && state !== 'storing') entries.patch(id, { state: 'waiting' })
      }
      if (!forget) return
      void deps.shelf.drop(entries.all().map(({ id }) => id))
      entries.clear()
    },
  }
}

type UploadSlots = {
  readonly waiting: () => readonly UploadEntry[]
  readonly run: (id: string, signal: AbortSignal) => Promise<boolean>
  readonly onArrived: (id: string) => void
}

/** Two upload slots. An upload keeps its slot while retrying and releases it when paused. */
function createUploadSlots({ waiting, run, onArrived }: UploadSlots) {
  const running = new Map<string, AbortController>()

  function pump(): void {
    for (const { id } of waiting()) {
      if (running.size >= UPLOAD.parallelUploads) return
      if (!running.has(id)) start(id)
    }
  }
  function start(id: string): void {
    const attempt = new AbortController()
    running.set(id, attempt)
    void run(id, attempt.signal).then((hasArrived) => {
      if (running.get(id) === attempt) running.delete(id)
      if (hasArrived) onArrived(id)
      pump()
    })
  }
  return {
    pump,
    stop: (id: string): void => {
      running.get(id)?.abort()
      running.delete(id)
    },
  }
}

type Queue = {
  readonly deps: QueueDeps
  readonly entries: ReturnType<typeof createUploadEntries>
  readonly keep: (id: string) => void
  readonly drop: (id: string, hasArrived: boolean) => void
  readonly pump: () => void
  readonly stop: (id: string) => void
  readonly deliver: (target: UploadTarget) => void
}

type AddRequest = { readonly place: UploadPlace; readonly picked: readonly SelectedFile[] }

function addFiles({ deps, entries, pump }: Queue, userId: string, { place, picked }: AddRequest): void {
  const atMs = deps.nowMs()
  const added = picked.map(
    ({ file, path, mark = null }): UploadEntry => ({
      id: deps.newId(),
      mark,
      userId,
      place,
      name: file.name,
      path,
      bytes: file.size,
      sentBytes: 0,
      safeBytes: 0,
      state: 'waiting',
      failure: null,
      note: null,
      file,
      url: null,
      meter: startMeter(0, atMs),
      print: null,
      isKept: false,
      fileId: null,
      atMs,
    }),
  )
  entries.add(added)
  pump()
  // Uploads in a form aren't stored, because the form is lost on reload.
  if (place.record === undefined) return
  void deps.shelf.keep(added.map((entry) => storedEntryOf(entry, deps.tab)))
  void keepBytesOf({ deps, entries }, added)
}

/** Copies files one at a time, so that a folder of videos doesn't overload the disk. */
async function keepBytesOf({ deps, entries }: Pick<Queue, 'deps' | 'entries'>, added: readonly UploadEntry[]) {
  for (const { id, file } of added) {
    if (!file || !entries.get(id)) continue
    if (await deps.shelf.keepBytes(id, file)) entries.patch(id, { isKept: true })
    // While its file was being copied, the upload may have finished or been canceled.
    if (!entries.get(id)) await deps.shelf.drop([id])
  }
}

function commandsOf(queue: Queue) {
  const { deps, entries, keep, drop, pump, stop, deliver } = queue
  const each = (ids: readonly string[] | undefined, work: (entry: UploadEntry) => void): void => {
    const wanted = ids === undefined ? entries.all() : ids.flatMap((id) => entries.get(id) ?? [])
    for (const entry of wanted) work(entry)
    pump()
  }
  return {
    /** Pauses the given uploads, or all active ones. Files that are being attached can't be paused. */
    pause: (ids?: readonly string[]) =>
      each(ids, (entry) => {
        if (!isMoving(entry) || entry.state === 'storing') return
        stop(entry.id)
        entries.patch(entry.id, { state: 'paused', note: null })
        keep(entry.id)
      }),
    resume: (ids?: readonly string[]) =>
      each(ids, (entry) => {
        if (entry.state !== 'paused') return
        entries.patch(entry.id, { state: 'waiting', note: null })
        keep(entry.id)
      }),
    retry: (ids?: readonly string[]) =>
      each(ids, (entry) => {
        if (entry.state !== 'failed') return
        entries.patch(entry.id, { state: entry.fileId === null ? 'waiting' : 'storing', failure: null, note: null })
        keep(entry.id)
        deliver(entry.place)
      }),
    cancel: (ids?: readonly string[]) =>
      each(ids, ({ id, url }) => {
        stop(id)
        drop(id, false)
        if (url !== null) void deps.abandon(url)
      }),
    /** Accepts a reselected file; returns the reason if it doesn't match the original. */
    giveFile: (id: string, file: File) => giveFile(queue, id, file),
  }
}

async function giveFile({ deps, entries, pump }: Queue, id: string, file: File): Promise<string | undefined> {
  const begun = entries.get(id)
  if (begun?.state !== 'file-needed') return undefined
  const chosen = await readable(deps.print(file))
  if (!chosen) return t('The browser can’t read this file. Select it again.')
  const difference = begun.print ? differenceOf(begun.print, chosen) : nothingSent(begun, file)
  if (difference !== undefined) return difference
  entries.patch(id, { file, print: chosen, state: 'waiting', note: null, failure: null })
  pump()
  return undefined
}

const readable = (print: Promise<FileFingerprint>): Promise<FileFingerprint | undefined> =>
  print.then(
    (found) => found,
    () => undefined,
  )

/** Compares only sizes, because an upload without a fingerprint hasn't started. */
const nothingSent = ({ name, bytes }: UploadEntry, file: File): string | undefined =>
  file.size === bytes ? undefined : t('This is a different file: “{name}” has {bytes} bytes.', { name, bytes })

/** Files in a form are lost with the form; other files are lost only if the browser couldn't store their bytes. */
const wouldBeLost = ({ state, isKept, fileId, place }: UploadEntry): boolean => {
  if (place.record === undefined) return state !== 'failed'
  return fileId === null && !isKept && (isMoving({ state }) || state === 'paused')
}

function entryOf({ kept, file }: FoundUpload, nowMs: number): UploadEntry {
  const { tab: _, isPaused, ...facts } = kept
  return {
    ...facts,
    mark: null,
    file,
    sentBytes: kept.safeBytes,
    state: stateOf(kept.fileId, file, isPaused),
    failure: null,
    note: null,
    meter: startMeter(kept.safeBytes, nowMs),
    isKept: file !== undefined,
  }
}

function stateOf(fileId: string | null, file: File | undefined, isPaused: boolean): UploadEntry['state'] {
  if (fileId !== null) return 'storing'
  if (!file) return 'file-needed'
  return isPaused ? 'paused' : 'waiting'
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}

/** Resolves once the server responds again; sends a ping unless the connection is already known to be lost. */
function untilReachable(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const stop = connectionState.reachable.subscribe(() => connectionState.reachable.get() && done())
    signal.addEventListener('abort', done)
    connectionState.lost()
  })
}

type QueueContext = Pick<QueueDeps, 'takerOf' | 'onAttached' | 'onRefused'>

export function createQueue(around: QueueContext) {
  const tab = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const tabs = joinActiveTabs(UPLOADS_DATABASE, tab)
  const shelf = openUploadStorage()
  let made = 0
  const queue = createUploadQueue({
    ...around,
    tab,
    shelf,
    send: sendUpload,
    print: fingerprintOf,
    abandon: abandonUpload,
    attach: (place, files) =>
      place.isDocument === true
        ? writeIntoDocument(place, files)
        : attachFiles(
            place,
            files.map(({ id }) => id),
          ),
    isHeld: ({ record }) => record !== undefined && findUnsent(record) !== undefined,
    nowMs: () => Date.now(),
    newId: () => `${tab}-${(made += 1)}`,
    wait,
    untilReachable,
  })
  // Once a record has been sent, its files can be uploaded.
  unsentState.subscribe(queue.pump)
  const begin = async (userId: string, isStill: () => boolean): Promise<void> => {
    queue.begin(userId, [])
    // Files of unsent records wait until their record is sent.
    if (hasUnsent()) await (await loadUnsent()).load()
    const hasAny = await shelf.keepOnly(userId, Date.now())
    const found = hasAny ? await shelf.adopt(userId, tab, await tabs.others(), Date.now()) : []
    if (isStill()) queue.begin(userId, found)
  }
  let begun = Promise.resolve()
  return {
    ...queue,
    isShelfEmpty: shelf.isEmpty,
    beginFor: (userId: string, isStill: () => boolean): Promise<void> => (begun = begin(userId, isStill)),
    /** Waits for startup to finish, so that files from an earlier visit are included. */
    moveToRecord: async (from: string, to: string): Promise<void> => {
      await begun
      await queue.moveToRecord(from, to)
    },
  }
}
