import { useEffect, useState } from 'react'
import type { UploadsSnapshot } from '#web/data/uploads/upload-types.ts'
import { uploadAnnouncement, uploadHeading, totalsOf } from '#web/shared/uploads/upload-status.ts'
import { HeaderButton } from '#web/ui/controls/header-button.tsx'
import { ProgressRing } from '#web/ui/controls/progress-ring.tsx'
import { IconAlertCircle, IconCloudOff } from '#web/ui/icons/start.ts'
import { IconCircleCheck, IconPlayerPause } from '#web/ui/icons/general.ts'
import { formatPercent } from '#web/ui/text/format-percent.ts'
import { t } from '#web/i18n/t.ts'
import { useUploadNotifications } from './use-upload-notifications.ts'
import { UploadsPanel } from './uploads-panel.tsx'
import './uploads-panel.css'

/** How long it is told that all went well, in ms. */
const SUCCESS_SHOWN_MS = 6000

/** What is on its way up, wherever one is; nothing while there is nothing. */
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

/** Whether it was told for long enough that nothing is under way any more. */
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

/** As short as the head of a page on a telephone. */
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

/** How far files are, and what is in their way. */
function UploadsIcon({ shown }: { readonly shown: UploadsSnapshot }) {
  const { moving, offline, stuck, paused } = totalsOf(shown)
  if (moving > 0 && offline === moving) return <IconCloudOff size={16} stroke={1.5} />
  if (moving > 0) return <ProgressRing share={shareOf(shown)} />
  if (stuck > 0) return <IconAlertCircle size={16} stroke={1.5} />
  return paused > 0 ? <IconPlayerPause size={16} stroke={1.5} /> : <IconCircleCheck size={16} stroke={1.5} />
}
