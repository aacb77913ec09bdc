import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { createEmitter, createStore } from '#web/ui/store.ts'
import { sessionState } from '#web/data/session/session-state.ts'
import { hasStoredUploads, setStoredFlag } from '#web/data/storage/clear-databases.ts'
import type { AttachedEvent, UploadReceiver } from './finished-uploads.ts'
import {
  NO_UPLOADS,
  type SelectedFile,
  targetKey,
  type UploadJob,
  type UploadPlace,
  type UploadTarget,
} from './upload-types.ts'

export type UploadEvent =
  | ({ readonly is: 'attached' } & AttachedEvent)
  | { readonly is: 'refused'; readonly job: Pick<UploadJob, 'id' | 'name' | 'place'>; readonly why: string }

const receivers = new Map<string, UploadReceiver[]>()
const shown = createStore(NO_UPLOADS)

/** Buffered, because a small file may finish before the code that displays events is loaded. */
const events = createEmitter<UploadEvent>({ isBuffered: true })

/** Undefined during impersonation, so that nothing is uploaded for either user. */
function currentUser(): string | undefined {
  const { user } = sessionState.get()
  return user?.view_as?.is_on === true ? undefined : user?.id
}

/** The queue is loaded with the first file, or if there are uploads from an earlier visit. */
const opened = lazyModule(async () => {
  const { createQueue } = await import('./upload-queue.ts')
  const queue = createQueue({
    takerOf: (target) => receivers.get(targetKey(target))?.at(-1),
    onAttached: (news) => events.emit({ is: 'attached', ...news }),
    onRefused: (job, why) => events.emit({ is: 'refused', job, why }),
  })
  queue.subscribe(() => {
    if (queue.get().jobs.length > 0) setStoredFlag(true)
    else void unmark(queue)
    shown.set(queue.get())
  })
  followSession(queue)
  confirmBeforeUnload(queue)
  return queue
})

/** Clears the flag, unless another tab still has pending files. */
async function unmark(queue: Queue): Promise<void> {
  if ((await queue.isShelfEmpty()) && queue.get().jobs.length === 0) setStoredFlag(false)
}

type Queue = Awaited<ReturnType<typeof opened.load>>

/** Signing out deletes all uploads; if the session expires, they are kept. */
function followSession(queue: Queue): void {
  let before: string | undefined
  const follow = () => {
    const now = currentUser()
    if (now === before) return
    before = now
    const { ending } = sessionState.get()
    if (now === undefined) queue.halt(ending === 'signed-out' || ending === 'signed-out-elsewhere')
    else void queue.beginFor(now, () => currentUser() === now)
  }
  follow()
  sessionState.subscribe(follow)
}

function confirmBeforeUnload(queue: Queue): void {
  window.addEventListener('beforeunload', (event) => {
    if (queue.wouldLose() && currentUser() !== undefined) event.preventDefault()
  })
}

const withQueue = (work: (queue: Queue) => void): void => void opened.load().then(work, () => undefined)

export const uploads = {
  get: shown.get,
  subscribe: shown.subscribe,
  events,
  /** Whether files can be added: while offline, the queue's code may fail to load. */
  isReady: (): Promise<boolean> =>
    opened.load().then(
      () => true,
      () => false,
    ),
  add: (place: UploadPlace, files: readonly SelectedFile[]) => withQueue((queue) => queue.add(place, files)),
  countFor: (target: UploadTarget): number => opened.get()?.countFor(target) ?? 0,
  pause: (ids?: readonly string[]) => opened.get()?.pause(ids),
  resume: (ids?: readonly string[]) => opened.get()?.resume(ids),
  retry: (ids?: readonly string[]) => opened.get()?.retry(ids),
  cancel: (ids?: readonly string[]) => opened.get()?.cancel(ids),
  giveFile: async (id: string, file: File): Promise<string | undefined> => opened.get()?.giveFile(id, file),
  take: (target: UploadTarget, taker: UploadReceiver) => {
    const key = targetKey(target)
    receivers.set(key, [...(receivers.get(key) ?? []), taker])
    return () => {
      const left = (receivers.get(key) ?? []).filter((each) => each !== taker)
      if (left.length > 0) receivers.set(key, left)
      else receivers.delete(key)
    }
  },
  /** Moves files to a record that has been sent, so that they can be uploaded. */
  moveToRecord: async (from: string, to: string): Promise<void> => {
    if (opened.get() === undefined && !hasStoredUploads()) return
    await (await opened.load()).moveToRecord(from, to)
  },
  closeForm: (target: UploadTarget) => {
    const ids = shown.get().jobs.flatMap(({ id, place }) => (targetKey(place) === targetKey(target) ? id : []))
    uploads.cancel(ids)
  },
  /** Resumes uploads from an earlier visit. */
  goOn: () => {
    if (hasStoredUploads()) withQueue(() => undefined)
  },
}
