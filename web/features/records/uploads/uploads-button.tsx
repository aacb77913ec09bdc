import { Button, Popover } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { UploadsShown } from '#web/client/uploads/upload-job.ts'
import { announcementOf, headOf, totalsOf } from '#web/fields/files/upload-words.ts'
import { formatCount } from '#web/fields/format-value.ts'
import { IconAlertCircle } from '#web/kit/icons/icon-alert-circle.ts'
import { IconCircleCheck } from '#web/kit/icons/icon-circle-check.ts'
import { IconCloudOff } from '#web/kit/icons/icon-cloud-off.ts'
import { IconPlayerPause } from '#web/kit/icons/icon-player-pause.ts'
import { useUploadNews } from './use-upload-news.ts'
import { UploadsPanel } from './uploads-panel.tsx'
import './uploads-panel.css'

/** How long it is told that all went well, in ms. */
const WELL_MS = 6000

/** What is on its way up, wherever one is; nothing while there is nothing. */
export function UploadsButton({ shown }: { readonly shown: UploadsShown }) {
  useUploadNews()
  const [isOpen, setOpen] = useState(false)
  const isOver = useIsOver(shown.jobs.length === 0 && !isOpen)
  const isThere = !isOver && (shown.jobs.length > 0 || shown.doneFiles > 0)
  return (
    <>
      <div role="status" className="visually-hidden">
        {isThere && announcementOf(shown)}
      </div>
      {isThere && (
        <Popover position="bottom-end" shadow="md" trapFocus returnFocus opened={isOpen} onChange={setOpen} width={400}>
          <Popover.Target>
            <Button
              size="sm"
              variant="subtle"
              color="gray"
              className="uploads-button"
              aria-haspopup="dialog"
              leftSection={<UploadsIcon shown={shown} />}
              onClick={() => setOpen(!isOpen)}
            >
              <span className="visually-hidden">Uploads: {headOf(shown)}, </span>
              {shortText(shown)}
            </Button>
          </Popover.Target>
          <Popover.Dropdown className="uploads" aria-label="Uploads">
            <UploadsPanel shown={shown} onClose={() => setOpen(false)} />
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}

/** Whether it was told for long enough that nothing is under way any more. */
function useIsOver(isQuiet: boolean): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    setOver(false)
    if (!isQuiet) return undefined
    const timer = setTimeout(() => setOver(true), WELL_MS)
    return () => clearTimeout(timer)
  }, [isQuiet])
  return isOver
}

/** As short as the head of a page on a telephone. */
function shortText(shown: UploadsShown): string {
  const { moving, stuck, paused, bytes, sentBytes } = totalsOf(shown)
  if (moving > 0) return `${bytes === 0 ? 0 : Math.floor((sentBytes / bytes) * 100)} %`
  if (stuck > 0) return `${formatCount(stuck)} stopped`
  return paused > 0 ? 'Paused' : 'Uploaded'
}

const RING = 2 * Math.PI * 7

/** A ring that fills as files go up, and what is in their way. */
function UploadsIcon({ shown }: { readonly shown: UploadsShown }) {
  const { moving, offline, stuck, paused, bytes, sentBytes } = totalsOf(shown)
  if (moving > 0 && offline === moving) return <IconCloudOff size={16} stroke={1.5} />
  if (moving > 0)
    return (
      <svg aria-hidden width={16} height={16} viewBox="0 0 18 18" className="uploads-ring">
        <circle cx={9} cy={9} r={7} className="uploads-ring-track" />
        <circle
          cx={9}
          cy={9}
          r={7}
          className="uploads-ring-done"
          strokeDasharray={`${bytes === 0 ? 0 : RING * (sentBytes / bytes)} ${RING}`}
        />
      </svg>
    )
  if (stuck > 0) return <IconAlertCircle size={16} stroke={1.5} />
  return paused > 0 ? <IconPlayerPause size={16} stroke={1.5} /> : <IconCircleCheck size={16} stroke={1.5} />
}
