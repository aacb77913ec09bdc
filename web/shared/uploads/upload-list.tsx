import type { UploadJob } from '#web/data/uploads/upload-types.ts'
import { t } from '#web/i18n/t.ts'
import { UploadRow } from './upload-row.tsx'
import { byImportance } from './upload-status.ts'
import './uploads.css'

/** As many lines as say what is going on; the panel of all uploads shows more. */
const MAX_ROWS = 6

/** Files on their way into a field. */
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
