import { useEffect, useSyncExternalStore } from 'react'
import type { UploadsSnapshot } from '#web/client/uploads/upload-job.ts'
import { uploads } from '#web/client/uploads/uploads.ts'
import { lazyModule, useLazyModule } from '#web/kit/later.ts'

const uploadsButton = lazyModule(() => import('#web/features/records/uploads/uploads-button.tsx'))

/** What is on its way up goes on from page to page; its part of the page comes with the first file. */
export function Uploads() {
  const shown = useSyncExternalStore(uploads.subscribe, uploads.shown)
  useEffect(() => uploads.goOn(), [])
  return shown.jobs.length + shown.doneFiles > 0 ? <LazyUploadsButton shown={shown} /> : null
}

function LazyUploadsButton({ shown }: { readonly shown: UploadsSnapshot }) {
  const { UploadsButton } = useLazyModule(uploadsButton, false) ?? {}
  return UploadsButton ? <UploadsButton shown={shown} /> : null
}
