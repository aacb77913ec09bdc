import { t } from '#web/i18n/t.ts'

/** Where finished files go: a field of a collection, and of a record once there is one. */
export type UploadTarget = {
  /** The name of the collection. */
  readonly collection: string
  /** The name of the field. */
  readonly field: string
  readonly record?: string
}

/** A target with what people call it. In a document files stand among words, elsewhere in a list. */
export type UploadPlace = UploadTarget & { readonly label: string; readonly isDocument?: boolean }

/** A place in a record that is there. */
export type RecordPlace = UploadPlace & Required<UploadTarget>

/**
 * A file that was picked; `path` is its way through the folder it came with, empty for a file by itself. By its `mark` whoever
 * gave it knows it again, as long as this page is there.
 */
export type SelectedFile = { readonly file: File; readonly path: string; readonly mark?: string }

/**
 * How it stands with a file: `waiting` for its turn, `retrying` after a short wait, `offline` until the server is back,
 * `file-needed` after a reload where the browser could not keep its bytes, `storing` once all bytes are there and it is
 * being put into its record.
 */
export type UploadState =
  | 'waiting'
  | 'sending'
  | 'retrying'
  | 'offline'
  | 'paused'
  | 'file-needed'
  | 'storing'
  | 'failed'

/** A file on its way up. */
export type UploadJob = {
  readonly id: string
  readonly mark: string | null
  readonly place: UploadPlace
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly sentBytes: number
  readonly state: UploadState
  /** Why it failed, in a sentence. */
  readonly failure: string | null
  /** What else there is to know, for instance that it began anew. */
  readonly note: string | null
  /** How fast it goes, smoothed; 0 while nothing moves. */
  readonly bytesPerSecond: number
}

/** A file that has arrived; `id` is the file's id for good. `file` is missing where only the server has its bytes. */
export type UploadedFile = {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly file: File | undefined
  readonly mark: string | null
}

/** What is under way in this tab, and how much of it is done. */
export type UploadsSnapshot = {
  readonly jobs: readonly UploadJob[]
  /** Files that have arrived since the last time when nothing was under way. */
  readonly doneFiles: number
  readonly doneBytes: number
}

/** Nothing is under way, the same object every time. */
export const NO_UPLOADS: UploadsSnapshot = { jobs: [], doneFiles: 0, doneBytes: 0 }

/** One name for a target. */
export const targetKey = ({ collection, field, record = '' }: UploadTarget): string =>
  [collection, record, field].join('/')

/** Whether a file goes on by itself. */
export const isMoving = ({ state }: Pick<UploadJob, 'state'>): boolean =>
  state === 'waiting' || state === 'sending' || state === 'retrying' || state === 'offline' || state === 'storing'

/** What is remembered of how fast bytes go. */
export type SpeedMeter = {
  /** When bytes were last counted in, ms. */
  readonly atMs: number
  readonly bytes: number
  /** Smoothed; 0 until there was time to measure. */
  readonly bytesPerSecond: number
}

/** Shorter spans than this say more about buffers than about the line, in ms. */
const MIN_SPAN_MS = 500

/** After this many ms, half of what is told comes from what was measured since. */
const HALF_LIFE_MS = 3000

/** A meter that begins now, with bytes that are there already. */
export const startMeter = (bytes: number, nowMs: number): SpeedMeter => ({ atMs: nowMs, bytes, bytesPerSecond: 0 })

/** Counts bytes in. A line that stalls slows down bit by bit; a single burst does not make it fast. */
export function countBytes(meter: SpeedMeter, bytes: number, nowMs: number): SpeedMeter {
  const spanMs = nowMs - meter.atMs
  // What is sent once more begins at an earlier byte, and a clock may be set back.
  if (bytes < meter.bytes || spanMs < 0) return { ...startMeter(bytes, nowMs), bytesPerSecond: meter.bytesPerSecond }
  if (spanMs < MIN_SPAN_MS) return meter
  const measured = ((bytes - meter.bytes) / spanMs) * 1000
  const kept = meter.bytesPerSecond === 0 ? 0 : 0.5 ** (spanMs / HALF_LIFE_MS)
  return { atMs: nowMs, bytes, bytesPerSecond: meter.bytesPerSecond * kept + measured * (1 - kept) }
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** How long it takes still, in plain words; rounded up, for being early pleases more than being late. */
export function timeLeftText(seconds: number): string {
  if (seconds < 10) return t('a few seconds left')
  if (seconds < 55) return t('{seconds} s left', { seconds: Math.ceil(seconds / 10) * 10 })
  if (seconds < HOUR) return t('{seconds} min left', { seconds: Math.ceil(seconds / MINUTE) })
  if (seconds >= 24 * HOUR) return t('more than a day left')
  const minutes = Math.ceil((seconds % HOUR) / MINUTE / 5) * 5
  const hours = Math.floor(seconds / HOUR) + (minutes === 60 ? 1 : 0)
  return minutes === 0 || minutes === 60
    ? t('{hours} h left', { hours })
    : t('{hours} h {minutes} min left', { hours, minutes })
}
