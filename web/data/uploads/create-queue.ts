import { connectionState } from '#web/data/connection/connection-state.ts'
import { joinActiveTabs } from '#web/data/session/tabs/active-tabs.ts'
import { attachFiles, writeIntoDocument } from './attach-files.ts'
import { fingerprintOf } from './persistence/file-fingerprint.ts'
import { UPLOADS_DATABASE } from './persistence/clear-uploads.ts'
import { abandonUpload, sendUpload } from './transfer/send-upload.ts'
import { createUploadQueue, type QueueDeps } from './upload-queue.ts'
import { openUploadStorage } from './persistence/upload-storage.ts'

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
