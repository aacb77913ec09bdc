import { t } from '#web/i18n/t.ts'

export type UploadTarget = {
  readonly collection: string
  readonly field: string
  readonly record?: string
}

export type UploadPlace = UploadTarget & { readonly label: string; readonly isDocument?: boolean }

export type RecordPlace = UploadPlace & Required<UploadTarget>

/**
 * A selected file. `path` is its path within the selected folder; `mark` identifies it to the component that added it.
 */
export type SelectedFile = { readonly file: File; readonly path: string; readonly mark?: string }

/**
 * The state of an upload: `waiting` for a slot, `retrying` after a delay, `offline` until the server is reachable,
 * `file-needed` after a reload if the bytes weren't stored, `storing` while the uploaded file is being attached to its
 * record.
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

export type UploadJob = {
  readonly id: string
  readonly mark: string | null
  readonly place: UploadPlace
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly sentBytes: number
  readonly state: UploadState
  readonly failure: string | null
  readonly note: string | null
  /** Smoothed speed in bytes per second; 0 during a stall. */
  readonly bytesPerSecond: number
}

/** An uploaded file; `id` is permanent. `file` is undefined if only the server has the bytes. */
export type UploadedFile = {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly file: File | undefined
  readonly mark: string | null
}

export type UploadsSnapshot = {
  readonly jobs: readonly UploadJob[]
  readonly doneFiles: number
  readonly doneBytes: number
}

/** A constant, so that React doesn't re-render. */
export const NO_UPLOADS: UploadsSnapshot = { jobs: [], doneFiles: 0, doneBytes: 0 }

export const targetKey = ({ collection, field, record = '' }: UploadTarget): string =>
  [collection, record, field].join('/')

export const isMoving = ({ state }: Pick<UploadJob, 'state'>): boolean =>
  state === 'waiting' || state === 'sending' || state === 'retrying' || state === 'offline' || state === 'storing'

export type SpeedMeter = {
  readonly atMs: number
  readonly bytes: number
  readonly bytesPerSecond: number
}

/** Minimum measuring interval in ms; shorter intervals would measure buffers instead of the connection. */
const MIN_SPAN_MS = 500

/** Half-life of the smoothed speed in ms. */
const HALF_LIFE_MS = 3000

export const startMeter = (bytes: number, nowMs: number): SpeedMeter => ({ atMs: nowMs, bytes, bytesPerSecond: 0 })

/** Adds bytes to the measurement. The speed decreases gradually during a stall and doesn't jump after a burst. */
export function countBytes(meter: SpeedMeter, bytes: number, nowMs: number): SpeedMeter {
  const spanMs = nowMs - meter.atMs
  // Bytes are retransmitted from a lower offset, or the clock was set back.
  if (bytes < meter.bytes || spanMs < 0) return { ...startMeter(bytes, nowMs), bytesPerSecond: meter.bytesPerSecond }
  if (spanMs < MIN_SPAN_MS) return meter
  const measured = ((bytes - meter.bytes) / spanMs) * 1000
  const kept = meter.bytesPerSecond === 0 ? 0 : 0.5 ** (spanMs / HALF_LIFE_MS)
  return { atMs: nowMs, bytes, bytesPerSecond: meter.bytesPerSecond * kept + measured * (1 - kept) }
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** The remaining time in words, rounded up, because finishing early is better than finishing late. */
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
