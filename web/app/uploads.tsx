import { useEffect, useSyncExternalStore } from 'react'
import type { UploadsShown } from '#web/client/uploads/upload-job.ts'
import { uploads } from '#web/client/uploads/uploads.ts'
import { later, useLater } from '#web/kit/later.ts'

const uploadsButton = later(() => import('#web/features/records/uploads/uploads-button.tsx'))

/** What is on its way up goes on from page to page; its part of the page comes with the first file. */
export function Uploads() {
  const shown = useSyncExternalStore(uploads.subscribe, uploads.shown)
  useEffect(() => uploads.goOn(), [])
  return shown.jobs.length + shown.doneFiles > 0 ? <LaterButton shown={shown} /> : null
}

function LaterButton({ shown }: { readonly shown: UploadsShown }) {
  const { UploadsButton } = useLater(uploadsButton, false) ?? {}
  return UploadsButton ? <UploadsButton shown={shown} /> : null
}
