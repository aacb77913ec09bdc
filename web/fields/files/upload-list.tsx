import { ActionIcon, Progress } from '@mantine/core'
import type { Uploader, UploadJob } from '#web/client/upload-job.ts'
import { formatBytes } from '#web/kit/format-bytes.ts'
import { IconPlayerPause } from '#web/kit/icons/icon-player-pause.ts'
import { IconPlayerPlay } from '#web/kit/icons/icon-player-play.ts'
import { IconRefresh } from '#web/kit/icons/icon-refresh.ts'
import { IconX } from '#web/kit/icons/icon-x.ts'
import './files.css'

/** Files on their way: how far each is, with pause, retry and cancel. */
export function UploadList({
  jobs,
  uploader,
}: {
  readonly jobs: readonly UploadJob[]
  readonly uploader: Uploader | undefined
}) {
  if (jobs.length === 0 || !uploader) return null
  return (
    <ul className="upload-list" aria-label="Uploads">
      {jobs.map((job) => (
        <UploadLine key={job.id} job={job} uploader={uploader} />
      ))}
    </ul>
  )
}

const percentOf = ({ bytes, sentBytes }: UploadJob) =>
  bytes === 0 ? 0 : Math.min(100, Math.floor((sentBytes / bytes) * 100))

function statusOf(job: UploadJob): string {
  if (job.state === 'waiting') return 'Waiting'
  const sent = `${formatBytes(job.sentBytes)} of ${formatBytes(job.bytes)}`
  return job.state === 'paused' ? `Paused at ${sent}` : sent
}

function UploadLine({ job, uploader }: { readonly job: UploadJob; readonly uploader: Uploader }) {
  const { id, name, state, failure } = job
  return (
    <li className="upload-line" data-state={state}>
      <div className="upload-words">
        <span className="upload-name">{name}</span>
        {failure === null ? (
          <span className="upload-status">{statusOf(job)}</span>
        ) : (
          <span role="alert" className="upload-failure">
            {failure}
          </span>
        )}
      </div>
      <div className="upload-actions">
        {state === 'failed' && (
          <ActionIcon size="sm" aria-label={`Try ${name} again`} onClick={() => uploader.retry(id)}>
            <IconRefresh size={16} stroke={1.5} />
          </ActionIcon>
        )}
        {(state === 'uploading' || state === 'paused') && (
          <ActionIcon
            size="sm"
            aria-label={`${state === 'paused' ? 'Resume' : 'Pause'} ${name}`}
            onClick={() => uploader.pauseOrResume(id)}
          >
            {state === 'paused' ? (
              <IconPlayerPlay size={16} stroke={1.5} />
            ) : (
              <IconPlayerPause size={16} stroke={1.5} />
            )}
          </ActionIcon>
        )}
        <ActionIcon size="sm" aria-label={`Cancel ${name}`} onClick={() => uploader.cancel(id)}>
          <IconX size={16} stroke={1.5} />
        </ActionIcon>
      </div>
      <Progress
        className="upload-progress"
        size={3}
        value={percentOf(job)}
        aria-label={`Upload of ${name}`}
        color={state === 'failed' ? 'danger' : 'primary'}
      />
    </li>
  )
}
