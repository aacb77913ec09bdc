import { connectionState } from '#web/data/connection/connection-state.ts'
import { joinActiveTabs } from '#web/data/session/active-tabs.ts'
import { type Attached, attachFiles, writeIntoDocument } from './attach-files.ts'

import { UPLOADS_DATABASE } from '#web/data/storage/clear-databases.ts'

import { differenceOf, type FileFingerprint, fingerprintOf, type FoundUpload, openUploadStorage, type UploadStorage } from './persistence/upload-storage.ts'
import { UPLOAD } from '#domain/specification.ts'
import { t } from '#web/i18n/t.ts'
import { type AttachedEvent, createFinishedUploads, type UploadReceiver } from './finished-uploads.ts'
import { createUploadEntries, storedEntryOf, type UploadEntry } from './upload-entries.ts'
import { isMoving, type RecordPlace, type SelectedFile, startMeter, type UploadedFile, type UploadPlace, type UploadTarget } from './upload-types.ts'
import { abandonUpload, type RunDeps, runUpload, sendUpload } from './transfer/run-upload.ts'

/** What the queue needs from around it. */
export type QueueDeps = RunDeps & {
  readonly tab: string
  readonly shelf: Pick<UploadStorage, 'keep' | 'keepBytes' | 'drop'>
  readonly newId: () => string
  readonly abandon: (url: string) => Promise<void>
  readonly attach: (place: RecordPlace, files: readonly UploadedFile[]) => Promise<Attached>
  readonly takerOf: (target: UploadTarget) => UploadReceiver | undefined
  readonly onAttached: (news: AttachedEvent) => void
  readonly onRefused: (entry: UploadEntry, why: string) => void
}

/** The queue of a tab: all its files on their way up, whatever their fields, never more than two at the same time. */
export function createUploadQueue(needs: QueueDeps) {
  const entries = createUploadEntries()
  let userId = ''
  let isHalted = true

  const keep = (id: string): void => {
    const entry = entries.get(id)
    if (entry?.place.record !== undefined) void needs.shelf.keep([storedEntryOf(entry, needs.tab)])
  }
  const drop = (id: string, hasArrived: boolean): void => {
    entries.drop(id, hasArrived)
    void needs.shelf.drop([id])
  }
  const arrivals = createFinishedUploads({ ...needs, entries, keep, drop, isHalted: () => isHalted })

  const { pump, stop } = createUploadSlots({
    waiting: () => (isHalted ? [] : entries.all().filter(({ state }) => state === 'waiting')),
    run: (id, signal) => runUpload({ ...needs, entries, keep }, id, signal),
    onArrived: (id) => {
      const entry = entries.get(id)
      if (entry) arrivals.deliver(entry.place)
    },
  })

  const queue = { needs, entries, keep, drop, pump, stop, deliver: arrivals.deliver }
  return {
    shown: entries.shown,
    subscribe: entries.subscribe,
    countFor: (target: UploadTarget) => entries.of(target).length,
    /** Whether what is under way would be lost with this page. */
    wouldLose: () => entries.all().some(wouldBeLost),
    add: (place: UploadPlace, picked: readonly SelectedFile[]) => addFiles(queue, userId, { place, picked }),
    ...commandsOf(queue),
    /** Somebody is signed in: what they left here goes on; what was in somebody else's name is not there any more. */
    begin: (user: string, found: readonly FoundUpload[]) => {
      if (userId !== user) entries.clear()
      userId = user
      isHalted = false
      entries.add(found.filter(({ kept }) => !entries.get(kept.id)).map((each) => entryOf(each, needs.nowMs())))
      for (const entry of entries.all()) {
        // What was paused for want of a session bears a note; what a person paused bears none.
        if (entry.note !== null && entry.state === 'paused') entries.patch(entry.id, { state: 'waiting', note: null })
        if (entry.state === 'storing') arrivals.deliver(entry.place)
      }
      pump()
    },
    /** Nobody is signed in any more. `forget`: they have signed out, so nothing is kept. */
    halt: (forget: boolean) => {
      isHalted = true
      for (const { id, state } of entries.all()) {
        stop(id)
        if (isMoving({ state }) && state !== 'storing') entries.patch(id, { state: 'waiting' })
      }
      if (!forget) return
      void needs.shelf.drop(entries.all().map(({ id }) => id))
      entries.clear()
    },
  }
}

type UploadSlots = {
  readonly waiting: () => readonly UploadEntry[]
  readonly run: (id: string, signal: AbortSignal) => Promise<boolean>
  readonly onArrived: (id: string) => void
}

/** The two places in which files are sent. Who waits for a moment keeps its place, who is paused gives it up. */
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
  readonly needs: QueueDeps
  readonly entries: ReturnType<typeof createUploadEntries>
  readonly keep: (id: string) => void
  readonly drop: (id: string, hasArrived: boolean) => void
  readonly pump: () => void
  readonly stop: (id: string) => void
  readonly deliver: (target: UploadTarget) => void
}

type AddRequest = { readonly place: UploadPlace; readonly picked: readonly SelectedFile[] }

function addFiles({ needs, entries, pump }: Queue, userId: string, { place, picked }: AddRequest): void {
  const atMs = needs.nowMs()
  const added = picked.map(
    ({ file, path, mark = null }): UploadEntry => ({
      id: needs.newId(),
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
  // A form that is gone after a reload waits for no file.
  if (place.record === undefined) return
  void needs.shelf.keep(added.map((entry) => storedEntryOf(entry, needs.tab)))
  void keepBytesOf({ needs, entries }, added)
}

/** One after the other, so that a folder of films does not fill the disk's queue. */
async function keepBytesOf({ needs, entries }: Pick<Queue, 'needs' | 'entries'>, added: readonly UploadEntry[]) {
  for (const { id, file } of added) {
    if (!file || !entries.get(id)) continue
    if (await needs.shelf.keepBytes(id, file)) entries.patch(id, { isKept: true })
    // It may have arrived, or been given up, while it was copied.
    if (!entries.get(id)) await needs.shelf.drop([id])
  }
}

/** What people do with files on their way. */
function commandsOf(queue: Queue) {
  const { needs, entries, keep, drop, pump, stop, deliver } = queue
  const each = (ids: readonly string[] | undefined, work: (entry: UploadEntry) => void): void => {
    const wanted = ids === undefined ? entries.all() : ids.flatMap((id) => entries.get(id) ?? [])
    for (const entry of wanted) work(entry)
    pump()
  }
  return {
    /** Without ids: all that move. What has arrived needs no pause. */
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
        if (url !== null) void needs.abandon(url)
      }),
    /** A file that was asked for again; answers why it is not the one, if it is not. */
    giveFile: (id: string, file: File) => giveFile(queue, id, file),
  }
}

async function giveFile({ needs, entries, pump }: Queue, id: string, file: File): Promise<string | undefined> {
  const begun = entries.get(id)
  if (begun?.state !== 'file-needed') return undefined
  const chosen = await readable(needs.print(file))
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

/** A file of which not even its print was taken was not begun either. */
const nothingSent = ({ name, bytes }: UploadEntry, file: File): string | undefined =>
  file.size === bytes ? undefined : t('This is a different file: “{name}” has {bytes} bytes.', { name, bytes })

/** Files for a form go with it; others when the browser could not keep their bytes. */
const wouldBeLost = ({ state, isKept, fileId, place }: UploadEntry): boolean => {
  if (place.record === undefined) return state !== 'failed'
  return fileId === null && !isKept && (isMoving({ state }) || state === 'paused')
}

function entryOf({ kept, file }: FoundUpload, nowMs: number): UploadEntry {
  const { tab: _, isPaused, ...facts } = kept
  return {
    ...facts,
    // Of the page that gave it nothing is left.
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

/** Settles after so long, or as soon as the signal says so. */
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

/** Settles once the server has answered again; has it asked where nobody noticed yet that it is away. */
function untilReachable(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const stop = connectionState.subscribe(() => connectionState.isReachable() && done())
    signal.addEventListener('abort', done)
    connectionState.lost()
  })
}

type QueueContext = Pick<QueueDeps, 'takerOf' | 'onAttached' | 'onRefused'>

/** The queue of this tab, and the shelf on which it keeps what must outlive it. */
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
    nowMs: () => Date.now(),
    newId: () => `${tab}-${(made += 1)}`,
    wait,
    untilReachable,
  })
  return {
    ...queue,
    isShelfEmpty: shelf.isEmpty,
    /** Somebody is signed in: begins with nothing, and goes on with what they left here. */
    beginFor: async (userId: string, isStill: () => boolean): Promise<void> => {
      queue.begin(userId, [])
      const hasAny = await shelf.keepOnly(userId, Date.now())
      const found = hasAny ? await shelf.adopt(userId, tab, await tabs.others(), Date.now()) : []
      if (isStill()) queue.begin(userId, found)
    },
  }
}
