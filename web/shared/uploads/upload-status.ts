import {
  isMoving,
  targetKey,
  timeLeftText,
  type UploadedFile,
  type UploadJob,
  type UploadPlace,
  type UploadsSnapshot,
} from '#web/data/uploads/upload-types.ts'
import { formatBytes } from '#web/ui/text/format-numbers.ts'
import { useStore } from '#web/ui/store.ts'
import { plural, t } from '#web/i18n/t.ts'
import { useEffect, useMemo, useRef } from 'react'
import type { FileBody } from '#api/records.ts'
import { uploads } from '#web/data/uploads/uploads.ts'

export const percentOf = ({ bytes, sentBytes }: Pick<UploadJob, 'bytes' | 'sentBytes'>): number =>
  bytes === 0 ? 0 : Math.min(100, Math.floor((sentBytes / bytes) * 100))

const sentOf = ({ bytes, sentBytes }: UploadJob): string =>
  t('{sentBytes} of {bytes}', { sentBytes: formatBytes(sentBytes), bytes: formatBytes(bytes) })

export function statusOf(job: UploadJob): string {
  switch (job.state) {
    case 'waiting':
      return job.sentBytes > 0
        ? t('Waiting at {sentOf}', { sentOf: sentOf(job) })
        : t('Waiting · {bytes}', { bytes: formatBytes(job.bytes) })
    case 'sending':
      return [sentOf(job), ...speedOf(job)].join(' · ')
    case 'retrying':
      return t('{sentOf} · retrying', { sentOf: sentOf(job) })
    case 'offline':
      return t('{sentOf} · waiting for the server', { sentOf: sentOf(job) })
    case 'paused':
      return job.sentBytes > 0
        ? t('Paused at {sentOf}', { sentOf: sentOf(job) })
        : t('Paused · {bytes}', { bytes: formatBytes(job.bytes) })
    case 'storing':
      return t('Adding to record')
    case 'file-needed':
      return t('Stopped at {sentOf}', { sentOf: sentOf(job) })
    case 'failed':
      return ''
  }
}

function speedOf({ bytes, sentBytes, bytesPerSecond }: UploadJob): readonly string[] {
  if (bytesPerSecond < 1) return []
  return [`${formatBytes(bytesPerSecond)}/s`, timeLeftText((bytes - sentBytes) / bytesPerSecond)]
}

export type UploadTotals = {
  readonly moving: number
  readonly paused: number
  /** Number of uploads that failed or whose file must be selected again. */
  readonly stuck: number
  readonly offline: number
  readonly sentBytes: number
  readonly bytes: number
  readonly bytesPerSecond: number
}

/** Finished uploads count as fully sent. */
export function totalsOf({ jobs, doneBytes }: UploadsSnapshot): UploadTotals {
  const count = (is: (job: UploadJob) => boolean): number => jobs.filter(is).length
  const sum = (of: (job: UploadJob) => number): number => jobs.reduce((all, job) => all + of(job), 0)
  return {
    moving: count(isMoving),
    paused: count(({ state }) => state === 'paused'),
    stuck: count(needsAttention),
    offline: count(({ state }) => state === 'offline'),
    sentBytes: doneBytes + sum((job) => job.sentBytes),
    bytes: doneBytes + sum((job) => job.bytes),
    bytesPerSecond: sum((job) => job.bytesPerSecond),
  }
}

const needsAttention = ({ state }: Pick<UploadJob, 'state'>): boolean => state === 'failed' || state === 'file-needed'

export function totalText(totals: UploadTotals): string {
  const { moving, offline, paused, stuck, sentBytes, bytes, bytesPerSecond } = totals
  const sent = t('{sentBytes} of {bytes}', { sentBytes: formatBytes(sentBytes), bytes: formatBytes(bytes) })
  if (moving > 0 && offline === moving) return t('{sent} · waiting for the server', { sent })
  if (moving > 0 && bytesPerSecond >= 1)
    return `${sent} · ${formatBytes(bytesPerSecond)}/s · ${timeLeftText((bytes - sentBytes) / bytesPerSecond)}`
  if (moving === 0 && paused > 0) return `${sent} · paused`
  return moving === 0 && stuck > 0 ? `${sent} · stopped` : sent
}

export function uploadHeading(shown: UploadsSnapshot): string {
  const { moving, paused, stuck } = totalsOf(shown)
  if (moving > 0) return plural(moving, 'Uploading {n} file', 'Uploading {n} files')
  if (stuck > 0) return plural(stuck, '{n} file needs attention', '{n} files need attention')
  if (paused > 0) return plural(paused, '{n} file paused', '{n} files paused')
  return plural(shown.doneFiles, '{n} file uploaded', '{n} files uploaded')
}

/** Announces when uploads start, finish or fail, but not their progress. */
export function uploadAnnouncement(shown: UploadsSnapshot): string {
  const { moving, offline, paused, stuck } = totalsOf(shown)
  if (moving > 0 && offline === moving) return t('Uploads are waiting for the server.')
  const parts = [
    moving > 0 && t('Uploading.'),
    moving === 0 && shown.doneFiles > 0 && plural(shown.doneFiles, '{n} file uploaded.', '{n} files uploaded.'),
    moving === 0 && paused > 0 && plural(paused, '{n} upload paused.', '{n} uploads paused.'),
    stuck > 0 && plural(stuck, '{n} upload needs attention.', '{n} uploads need attention.'),
  ]
  return parts.filter((part) => part !== false).join(' ')
}

/** Sorts uploads by status: failed, active, paused, pending. */
export const byImportance = (jobs: readonly UploadJob[]): readonly UploadJob[] =>
  jobs.toSorted((one, other) => rankOf(one) - rankOf(other))

function rankOf({ state }: UploadJob): number {
  if (state === 'failed' || state === 'file-needed') return 0
  if (state === 'waiting') return 3
  return state === 'paused' ? 2 : 1
}

/** Uses the local copy until the record is reloaded. */
export function uploadedFile({ id, name, type, bytes, file }: UploadedFile): FileBody {
  const isPicture = file !== undefined && type.startsWith('image/')
  const url = file === undefined ? '' : URL.createObjectURL(file)
  return { id, name, type, bytes, width: null, height: null, url, thumbUrl: isPicture ? url : null }
}

type LatestProps = { readonly files: readonly FileBody[]; readonly onChange: (files: readonly FileBody[]) => void }

/**
 * Uploads of an open field, which adds finished files to its value; if no field is open, the upload queue adds them to
 * the record.
 */
export function useUploads(place: UploadPlace, held: LatestProps): readonly UploadJob[] {
  const key = targetKey(place)
  const shown = useStore(uploads)
  const latest = useRef({ place, held })
  useEffect(() => {
    latest.current = { place, held }
  })
  useEffect(() => {
    const { place: target } = latest.current
    const stop = uploads.take(target, (arrived) => {
      const { files, onChange } = latest.current.held
      const known = new Set(files.map(({ id }) => id))
      const added = arrived.filter(({ id }) => !known.has(id)).map(uploadedFile)
      // More files may finish before the next render.
      latest.current.held = { files: [...files, ...added], onChange }
      onChange(latest.current.held.files)
    })
    return () => {
      stop()
      if (target.record === undefined) uploads.closeForm(target)
    }
  }, [key])
  return useMemo(() => shown.jobs.filter((job) => targetKey(job.place) === key), [shown, key])
}
