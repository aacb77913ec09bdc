import { ActionIcon, Button, Progress } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { isMoving, type UploadJob } from '#web/data/uploads/upload-types.ts'
import { uploads } from '#web/data/uploads/uploads.ts'
import { IconPlayerPause, IconPlayerPlay, IconX } from '#web/ui/icons/later.ts'
import { IconRefresh } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import { byImportance, percentOf, statusOf } from './upload-status.ts'
import './uploads.css'

type UploadRowProps = {
  readonly job: UploadJob
  /** The upload's target, unless it is obvious from the context. */
  readonly where?: ReactNode
}

export function UploadRow({ job, where }: UploadRowProps) {
  const { name, path, state, failure, note } = job
  const status = statusOf(job)
  return (
    <li className="upload-line" data-state={state}>
      <div className="upload-names">
        <span className="upload-name" title={path === '' ? name : `${path}/${name}`}>
          {name}
        </span>
        {path !== '' && <span className="upload-path">{path}</span>}
        {where !== undefined && <span className="upload-where">{where}</span>}
      </div>
      <div className="upload-actions">
        <UploadActions job={job} />
      </div>
      <Progress
        className="upload-progress"
        size={4}
        value={percentOf(job)}
        aria-label={t('Upload of {name}', { name })}
        color={state === 'failed' ? 'danger' : 'primary'}
      />
      {status !== '' && <span className="upload-status">{status}</span>}
      {failure !== null && <span className="upload-failure">{failure}</span>}
      {note !== null && <span className="upload-note">{note}</span>}
      {state === 'file-needed' && <ChooseAgain job={job} />}
    </li>
  )
}

function UploadActions({ job: { id, name, state } }: { readonly job: UploadJob }) {
  const mayPause = isMoving({ state }) && state !== 'storing'
  const isPaused = state === 'paused'
  return (
    <>
      {state === 'failed' && (
        <ActionIcon size="sm" aria-label={t('Try {name} again', { name })} onClick={() => uploads.retry([id])}>
          <IconRefresh size={16} stroke={1.5} />
        </ActionIcon>
      )}
      {/* Uses one button for pausing and resuming, so that it keeps focus. */}
      {(mayPause || isPaused) && (
        <ActionIcon
          size="sm"
          aria-label={isPaused ? t('Resume {name}', { name }) : t('Pause {name}', { name })}
          onClick={() => (isPaused ? uploads.resume([id]) : uploads.pause([id]))}
        >
          {isPaused ? <IconPlayerPlay size={16} stroke={1.5} /> : <IconPlayerPause size={16} stroke={1.5} />}
        </ActionIcon>
      )}
      <ActionIcon size="sm" aria-label={t('Cancel {name}', { name })} onClick={() => uploads.cancel([id])}>
        <IconX size={16} stroke={1.5} />
      </ActionIcon>
    </>
  )
}

/** Prompts the user to reselect a file that couldn't be stored before a page reload. */
function ChooseAgain({ job: { id, name } }: { readonly job: UploadJob }) {
  const input = useRef<HTMLInputElement>(null)
  const [difference, setDifference] = useState<string>()
  return (
    <div className="upload-again">
      <span className="upload-note">
        {difference ?? t('Choose “{name}” again to resume. Data already uploaded isn’t sent again.', { name })}
      </span>
      <Button size="xs" onClick={() => input.current?.click()}>
        {t('Choose again')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('Choose {name} again', { name })}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) void uploads.giveFile(id, file).then(setDifference)
          currentTarget.value = ''
        }}
      />
    </div>
  )
}

const MAX_ROWS = 6

export function UploadList({ jobs, label }: { readonly jobs: readonly UploadJob[]; readonly label: string }) {
  if (jobs.length === 0) return null
  const more = jobs.length - MAX_ROWS
  return (
    <>
      <ul className="upload-list" aria-label={t('Uploads to {label}', { label })}>
        {byImportance(jobs)
          .slice(0, MAX_ROWS)
          .map((job) => (
            <UploadRow key={job.id} job={job} />
          ))}
      </ul>
      {more > 0 && <p className="upload-more">{t('and {more} more', { more })}</p>}
    </>
  )
}
