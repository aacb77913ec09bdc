import { t } from '#web/i18n/t.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { delayAfterTries } from '#web/data/connection/connection-state.ts'
import type { Attached } from './attach-files.ts'
import type { UploadEntries, UploadEntry } from './upload-entries.ts'
import { type RecordPlace, targetKey, type UploadedFile, type UploadPlace, type UploadTarget } from './upload-types.ts'
import type { RunDeps } from './transfer/run-upload.ts'

export type UploadReceiver = (files: readonly UploadedFile[]) => void

export type AttachedEvent = {
  readonly place: RecordPlace
  readonly files: readonly UploadedFile[]
  readonly attached: Attached
  /**
   * Time in ms when the first of these files was added; files dropped together have the same time, although they finish
   * separately.
   */
  readonly givenAtMs: number
}

type FinishedUploadsDeps = Pick<RunDeps, 'untilReachable' | 'wait'> & {
  readonly entries: UploadEntries
  readonly keep: (id: string) => void
  readonly drop: (id: string, hasArrived: boolean) => void
  readonly isHalted: () => boolean
  readonly takerOf: (target: UploadTarget) => UploadReceiver | undefined
  readonly attach: (place: RecordPlace, files: readonly UploadedFile[]) => Promise<Attached>
  readonly onAttached: (news: AttachedEvent) => void
  readonly onRefused: (entry: UploadEntry, why: string) => void
}

/** Minimum interval in ms between batches, so that small files are attached together. */
const BATCH_WINDOW_MS = 400

/** Maximum number of retries after server errors. */
const MAX_RETRIES = 6

const FORM_GONE = t('The form for this file was closed.')

const hasRecord = (place: UploadPlace): place is RecordPlace => place.record !== undefined

/**
 * Attaches finished uploads to the open form field, or else to the record; each field processes one batch at a time.
 */
export function createFinishedUploads(deps: FinishedUploadsDeps) {
  const { entries } = deps
  const busy = new Set<string>()
  const backoff = createBackoff(deps)

  function deliver(target: UploadTarget): void {
    const key = targetKey(target)
    if (busy.has(key) || deps.isHalted()) return
    const ready = entries.of(target).filter(({ state, fileId }) => state === 'storing' && fileId !== null)
    const [first] = ready
    if (!first) return
    busy.add(key)
    void handOver(first.place, ready).finally(() =>
      setTimeout(() => {
        busy.delete(key)
        deliver(target)
      }, BATCH_WINDOW_MS),
    )
  }

  async function handOver(place: UploadPlace, ready: readonly UploadEntry[]): Promise<void> {
    const taker = deps.takerOf(place)
    if (taker) {
      for (const { id } of ready) deps.drop(id, true)
      return taker(ready.map(uploadedOf))
    }
    if (!hasRecord(place)) return refuse(ready, FORM_GONE)
    return store(place, ready)
  }

  async function store(place: RecordPlace, ready: readonly UploadEntry[]): Promise<void> {
    const files = ready.map(uploadedOf)
    const done = await deps.attach(place, files).then(
      (attached) => ({ attached }),
      (error: unknown) => ({ error }),
    )
    // The user may have changed in the meantime, or the upload may have been canceled.
    const left = ready.filter(({ id }) => entries.get(id) !== undefined)
    if (deps.isHalted()) return undefined
    if ('attached' in done) {
      backoff.restore(place)
      for (const { id } of left) deps.drop(id, true)
      return deps.onAttached({ place, files, attached: done.attached, givenAtMs: ready[0]?.atMs ?? 0 })
    }
    const isPassing = toCallError(done.error)?.isPassing === true
    if (isPassing && (await backoff.isWorthATry(place))) return undefined
    // Attaches files one by one, so that one over the limit doesn't block the others.
    if (left.length > 1) for (const entry of left) await store(place, [entry])
    else refuse(left, whyOf(done.error))
  }

  function refuse(refused: readonly UploadEntry[], why: string): void {
    for (const entry of refused) {
      entries.patch(entry.id, { state: 'failed', failure: why })
      deps.keep(entry.id)
      deps.onRefused(entry, why)
    }
  }

  return { deliver }
}

function createBackoff({ wait, untilReachable }: Pick<FinishedUploadsDeps, 'wait' | 'untilReachable'>) {
  const tries = new Map<string, number>()
  return {
    restore: (place: UploadTarget) => void tries.delete(targetKey(place)),
    isWorthATry: async (place: UploadTarget): Promise<boolean> => {
      const before = tries.get(targetKey(place)) ?? 0
      tries.set(targetKey(place), before + 1)
      if (before >= MAX_RETRIES) return false
      const { signal } = new AbortController()
      await wait(delayAfterTries(before), signal)
      await untilReachable(signal)
      return true
    },
  }
}

/** The validation message for the field if there is one, otherwise the error's description. */
const whyOf = (error: unknown): string => toCallError(error)?.errors[0]?.message ?? describeError(error).detail

const uploadedOf = ({ fileId, mark, name, bytes, file }: UploadEntry): UploadedFile => ({
  id: fileId ?? '',
  name,
  type: file?.type ?? '',
  bytes,
  file,
  mark,
})
