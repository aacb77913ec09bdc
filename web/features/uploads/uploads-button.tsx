import { useEffect, useRef, useState } from 'react'
import { isMoving, type UploadJob, type UploadsSnapshot } from '#web/data/uploads/upload-types.ts'
import {
  byImportance,
  totalsOf,
  totalText,
  uploadAnnouncement,
  uploadHeading,
} from '#web/shared/uploads/upload-status.ts'
import { HeaderButton, ProgressRing } from '#web/ui/controls/header-button.tsx'

import { IconAlertCircle, IconCloudOff } from '#web/ui/icons/start.ts'
import { IconCircleCheck, IconPlayerPause } from '#web/ui/icons/later.ts'
import { formatPercent } from '#web/ui/text/format-numbers.ts'
import { t } from '#web/i18n/t.ts'
import { useUploadNotifications } from './use-upload-notifications.ts'
import './uploads-panel.css'
import { Button, Progress } from '@mantine/core'
import { uploads } from '#web/data/uploads/uploads.ts'
import { useFollow } from '#web/shared/navigation/app-link.tsx'
import { UploadRow } from '#web/shared/uploads/upload-list.tsx'

/** Rows shown first and added each time: a folder may have ten thousand files. */
const MAX_ROWS = 50

type UploadsPanelProps = { readonly shown: UploadsSnapshot; readonly onClose: () => void }

function UploadsPanel({ shown, onClose }: UploadsPanelProps) {
  const [most, setMost] = useState(MAX_ROWS)
  const { jobs } = shown
  const totals = totalsOf(shown)
  const more = jobs.length - most
  const place = useKeepFocus()
  return (
    <div ref={place} tabIndex={-1} className="uploads-whole">
      <div className="uploads-head">
        <strong>{uploadHeading(shown)}</strong>
        <span className="uploads-total">{totalText(totals)}</span>
        {jobs.length > 0 && (
          <Progress
            size={6}
            value={totals.bytes === 0 ? 0 : (totals.sentBytes / totals.bytes) * 100}
            aria-label={t('All uploads')}
            color="primary"
          />
        )}
        <AllActions jobs={jobs} onClose={onClose} />
      </div>
      {jobs.length > 0 && (
        <ul className="uploads-list" aria-label={t('Uploads')}>
          {byImportance(jobs)
            .slice(0, most)
            .map((job) => (
              <UploadRow key={job.id} job={job} where={<Where job={job} onLeave={onClose} />} />
            ))}
        </ul>
      )}
      {more > 0 && (
        <div className="uploads-end">
          <span className="upload-more">{t('and {more} more', { more })}</span>
          <Button size="xs" variant="subtle" color="gray" onClick={() => setMost(most + MAX_ROWS)}>
            {t('Show more')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** When a focused button disappears, the panel takes focus. */
function useKeepFocus() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus()
  })
  return place
}

function AllActions({ jobs, onClose }: { readonly jobs: readonly UploadJob[]; readonly onClose: () => void }) {
  const has = (is: (job: UploadJob) => boolean): boolean => jobs.some(is)
  const cancelAll = () => {
    uploads.cancel()
    onClose()
  }
  return (
    <div className="uploads-all">
      {has((job) => isMoving(job) && job.state !== 'storing') && (
        <Button size="xs" onClick={() => uploads.pause()}>
          {t('Pause all')}
        </Button>
      )}
      {has(({ state }) => state === 'paused') && (
        <Button size="xs" onClick={() => uploads.resume()}>
          {t('Resume all')}
        </Button>
      )}
      {has(({ state }) => state === 'failed') && (
        <Button size="xs" onClick={() => uploads.retry()}>
          {t('Retry all')}
        </Button>
      )}
      {jobs.length > 1 && (
        <Button size="xs" variant="subtle" color="gray" onClick={cancelAll}>
          {t('Cancel all')}
        </Button>
      )}
    </div>
  )
}

function Where({ job: { place }, onLeave }: { readonly job: UploadJob; readonly onLeave: () => void }) {
  const follow = useFollow()
  const { collection, record, label } = place
  if (record === undefined) return label
  return (
    <a
      href={`/collections/${encodeURIComponent(collection)}/${encodeURIComponent(record)}`}
      onClick={(event) => {
        follow(event)
        onLeave()
      }}
    >
      {label}
    </a>
  )
}

const SUCCESS_SHOWN_MS = 6000

/** Hidden without uploads. */
export function UploadsButton({ shown }: { readonly shown: UploadsSnapshot }) {
  useUploadNotifications()
  const [isOpen, setOpen] = useState(false)
  const isOver = useRecentlyFinished(shown.jobs.length === 0 && !isOpen)
  return (
    <HeaderButton
      isThere={!isOver && (shown.jobs.length > 0 || shown.doneFiles > 0)}
      name={t('Uploads')}
      spoken={t('Uploads: {headOf}, ', { headOf: uploadHeading(shown) })}
      text={shortText(shown)}
      icon={<UploadsIcon shown={shown} />}
      announcement={uploadAnnouncement(shown)}
      widthPx={400}
      isOpen={isOpen}
      onOpen={setOpen}
    >
      <UploadsPanel shown={shown} onClose={() => setOpen(false)} />
    </HeaderButton>
  )
}

function useRecentlyFinished(isQuiet: boolean): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    setOver(false)
    if (!isQuiet) return undefined
    const timer = setTimeout(() => setOver(true), SUCCESS_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isQuiet])
  return isOver
}

/** Short enough for a phone's header. */
function shortText(shown: UploadsSnapshot): string {
  const { moving, stuck, paused } = totalsOf(shown)
  if (moving > 0) return formatPercent(shareOf(shown))
  if (stuck > 0) return t('{stuck} stopped', { stuck })
  return paused > 0 ? t('Paused') : t('Uploaded')
}

function shareOf(shown: UploadsSnapshot): number {
  const { bytes, sentBytes } = totalsOf(shown)
  return bytes === 0 ? 0 : sentBytes / bytes
}

function UploadsIcon({ shown }: { readonly shown: UploadsSnapshot }) {
  const { moving, offline, stuck, paused } = totalsOf(shown)
  if (moving > 0 && offline === moving) return <IconCloudOff size={16} stroke={1.5} />
  if (moving > 0) return <ProgressRing share={shareOf(shown)} />
  if (stuck > 0) return <IconAlertCircle size={16} stroke={1.5} />
  return paused > 0 ? <IconPlayerPause size={16} stroke={1.5} /> : <IconCircleCheck size={16} stroke={1.5} />
}
