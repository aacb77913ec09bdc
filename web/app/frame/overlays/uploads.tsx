import { useEffect, useSyncExternalStore } from 'react'
import type { UploadsSnapshot } from '#web/data/uploads/upload-types.ts'
import { uploads } from '#web/data/uploads/uploads.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.ts'

const uploadsButton = lazyModule(() => import('#web/features/uploads/uploads-button.tsx'))

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
