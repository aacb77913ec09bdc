import { Suspense, lazy, useEffect } from 'react'
import { reauthenticationGate } from '#web/data/api/call.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { useStore } from '#web/ui/store.ts'
import { openedLinks } from './account-links/opened-link.ts'

const dialog = lazyModule(() => import('./reauthentication-dialog.tsx'))

const cancelReauthentication = (): void => reauthenticationGate.settle(false)

export function ReauthenticationPrompt() {
  const isRequested = useStore(reauthenticationGate, (requested) => requested !== undefined)
  const { ReauthenticationDialog } = useStore(dialog) ?? {}
  // Cancels pending calls when the workspace pages unmount.
  useEffect(() => cancelReauthentication, [])
  // If the dialog can't be loaded, pending calls are canceled and the frame shows the error.
  useEffect(() => {
    if (isRequested) void dialog.load().then(undefined, cancelReauthentication)
  }, [isRequested])
  return isRequested && ReauthenticationDialog && <ReauthenticationDialog />
}

const LinkDialog = lazy(() => import('./account-links/link-dialog.tsx').then((part) => ({ default: part.LinkDialog })))

export function LinkPrompt() {
  const link = useStore(openedLinks)
  return <Suspense>{link && <LinkDialog link={link} />}</Suspense>
}
