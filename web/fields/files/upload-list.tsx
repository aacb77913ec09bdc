import type { UploadJob } from '#web/client/uploads/upload-job.ts'
import { t } from '#web/language/t.ts'
import { UploadLine } from './upload-line.tsx'
import { inOrderOfInterest } from './upload-words.ts'
import './uploads.css'

/** As many lines as say what is going on; the panel of all uploads shows more. */
const MOST_LINES = 6

/** Files on their way into a field. */
export function UploadList({ jobs, label }: { readonly jobs: readonly UploadJob[]; readonly label: string }) {
  if (jobs.length === 0) return null
  const more = jobs.length - MOST_LINES
  return (
    <>
      <ul className="upload-list" aria-label={t('Uploads to {label}', { label })}>
        {inOrderOfInterest(jobs)
          .slice(0, MOST_LINES)
          .map((job) => (
            <UploadLine key={job.id} job={job} />
          ))}
      </ul>
      {more > 0 && <p className="upload-more">{t('and {more} more', { more })}</p>}
    </>
  )
}
