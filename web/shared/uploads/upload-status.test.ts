import { describe, expect, test } from 'vitest'
import type { UploadJob, UploadState } from '#web/data/uploads/upload-types.ts'
import { uploadAnnouncement, uploadHeading, byImportance, statusOf, totalsOf, totalText } from './upload-status.ts'

const aJob = (state: UploadState, part: Partial<UploadJob> = {}): UploadJob => ({
  id: state,
  mark: null,
  place: { collection: 'cases', field: 'plans', record: 'r', label: 'Plans' },
  name: 'plan.mov',
  path: '',
  bytes: 100_000_000,
  sentBytes: 0,
  state,
  failure: null,
  note: null,
  bytesPerSecond: 0,
  ...part,
})

const shown = (jobs: readonly UploadJob[], doneFiles = 0, doneBytes = 0) => ({ jobs, doneFiles, doneBytes })
const sending = aJob('sending', { sentBytes: 40_000_000, bytesPerSecond: 1_000_000 })

describe('the status of an upload', () => {
  test('shows progress, speed and remaining time', () => {
    expect(statusOf(sending)).toBe('40 MB of 100 MB · 1 MB/s · 1 min left')
    expect(statusOf(aJob('sending', { sentBytes: 5_000_000 }))).toBe('5 MB of 100 MB')
  })

  test('shows why it is waiting', () => {
    expect(statusOf(aJob('waiting'))).toBe('Waiting · 100 MB')
    expect(statusOf(aJob('offline', { sentBytes: 5_000_000 }))).toBe('5 MB of 100 MB · waiting for the server')
    expect(statusOf(aJob('retrying'))).toContain('0 bytes of 100 MB · retrying')
    expect(statusOf(aJob('paused', { sentBytes: 5_000_000 }))).toBe('Paused at 5 MB of 100 MB')
  })
})

describe('the total of all uploads', () => {
  test('counts uploaded files', () => {
    const totals = totalsOf(shown([sending, aJob('waiting')], 3, 50_000_000))
    expect(totals).toMatchObject({ moving: 2, sentBytes: 90_000_000, bytes: 250_000_000 })
    expect(totalText(totals)).toBe('90 MB of 250 MB · 1 MB/s · 3 min left')
  })

  test('has a label for its state', () => {
    expect(uploadHeading(shown([sending, aJob('failed')]))).toBe('Uploading 1 file')
    expect(uploadHeading(shown([aJob('failed'), aJob('file-needed')]))).toBe('2 files need attention')
    expect(uploadHeading(shown([aJob('paused')]))).toBe('1 file paused')
    expect(uploadHeading(shown([], 1))).toBe('1 file uploaded')
  })

  test('announces starts, ends and problems, but not progress', () => {
    const first = uploadAnnouncement(shown([sending]))
    expect(first).toBe('Uploading.')
    expect(uploadAnnouncement(shown([{ ...sending, sentBytes: 99_000_000 }], 1))).toBe(first)
    expect(uploadAnnouncement(shown([aJob('offline')]))).toContain('Uploads are waiting for the server.')
    expect(uploadAnnouncement(shown([aJob('failed')], 2))).toBe('2 files uploaded. 1 upload needs attention.')
  })

  test('lists failed uploads first, then active, paused and waiting ones', () => {
    const jobs = [aJob('waiting'), sending, aJob('paused'), aJob('failed')]
    expect(byImportance(jobs).map(({ state }) => state)).toEqual(['failed', 'sending', 'paused', 'waiting'])
  })
})
