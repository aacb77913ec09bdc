import { Button, Progress } from '@mantine/core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { readRecord, type RecordBody } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { cacheRecord, invalidateLists } from '#web/data/queries/record-queries.ts'
import { isMoving, type UploadJob, type UploadsSnapshot } from '#web/data/uploads/upload-types.ts'
import { type UploadEvent, uploads } from '#web/data/uploads/uploads.ts'
import { plural, t } from '#web/i18n/t.ts'
import { listEdits } from '#web/shared/cell-editing/list-cells.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { useFollow } from '#web/shared/navigation/app-link.tsx'
import { syncStoredRecord } from '#web/shared/record-drafts/mirror-draft-in-list.ts'
import { UploadRow } from '#web/shared/uploads/upload-list.tsx'
import {
  byImportance,
  totalsOf,
  totalText,
  uploadAnnouncement,
  uploadHeading,
} from '#web/shared/uploads/upload-status.ts'
import { HeaderButton, ProgressRing } from '#web/ui/controls/header-button.tsx'
import { IconCircleCheck, IconPlayerPause } from '#web/ui/icons/later.ts'
import { IconAlertCircle, IconCloudOff } from '#web/ui/icons/start.ts'
import { formatPercent } from '#web/ui/text/format-numbers.ts'
import { notify } from '#web/ui/toast/notify.ts'
import './uploads-panel.css'

type Attached = Extract<UploadEvent, { is: 'attached' }>

/** Shows a notification for files attached to a record that isn't open; updates the record wherever it is shown. */
function useUploadNotifications(): void {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      uploads.events.subscribe((news) => {
        if (news.is === 'attached') void showAttached(queryClient, news)
        else
          notify.error(
            t('“{name}” was uploaded but not added to {label}', { name: news.job.name, label: news.job.place.label }),
            {
              id: `refused-${news.job.id}`,
              detail: t('{why} You can find the file under Uploads.', { why: news.why }),
            },
          )
      }),
    [queryClient],
  )
}

async function showAttached(queryClient: QueryClient, { place, files, attached, givenAtMs }: Attached): Promise<void> {
  const { collection, record: id, label } = place
  const reported = `files-added-${collection}-${id}-${place.field}`
  notify.success(plural(files.length, '{n} file added to {label}', '{n} files added to {label}', { label }), {
    id: reported,
  })
  const query = { expand: '*' }
  const record = await call(readRecord, { params: { collection, record: id }, query }).then(
    (found) => found,
    () => undefined,
  )
  if (!record) return invalidateLists(queryClient, collection)
  cacheRecord(queryClient, collection, record)
  if (place.isDocument === true) invalidateLists(queryClient, collection)
  else showInList(queryClient, place, { record, attached, givenAtMs })
}

type Stored = Pick<Attached, 'attached' | 'givenAtMs'> & { readonly record: RecordBody }

/** Adds the files to the record in the list as a separate undo step. */
function showInList(queryClient: QueryClient, place: Attached['place'], { record, attached, givenAtMs }: Stored): void {
  const body = queryClient.getQueryData(collectionsQuery.queryKey)?.find(({ name }) => name === place.collection)
  const gridActions = body && listEdits(body.id).gridActions()
  if (!body || !gridActions) return invalidateLists(queryClient, place.collection)
  const is = toClientValue('files', record.values[place.field])
  const was = is.filter(({ id }) => attached.before.includes(id))
  const change = { record: record.id, field: place.field, was, is }
  gridActions.changedElsewhere(
    [change],
    new Map([[record.id, attached.record.version - 1]]),
    `files ${record.id} ${place.field} ${givenAtMs}`,
  )
  syncStoredRecord(listEdits(body.id), typedCollection(body), { record, fields: [place.field] })
}

/** Number of rows shown initially and added by each click: a folder may contain ten thousand files. */
const MAX_ROWS = 50

type UploadsPanelProps = { readonly shown: UploadsSnapshot; readonly onClose: () => void }

function UploadsPanel({ shown, onClose }: UploadsPanelProps) {
  const [max, setMax] = useState(MAX_ROWS)
  const { jobs } = shown
  const totals = totalsOf(shown)
  const more = jobs.length - max
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
            .slice(0, max)
            .map((job) => (
              <UploadRow key={job.id} job={job} where={<Where job={job} onLeave={onClose} />} />
            ))}
        </ul>
      )}
      {more > 0 && (
        <div className="uploads-end">
          <span className="upload-more">{t('and {more} more', { more })}</span>
          <Button size="xs" variant="subtle" color="gray" onClick={() => setMax(max + MAX_ROWS)}>
            {t('Show more')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Moves focus to the panel when the focused button disappears. */
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

/** Renders nothing if there are no uploads. */
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

/** A short upload status that fits in the header on a phone. */
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
