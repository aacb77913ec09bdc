import { Suspense, lazy, useEffect, useSyncExternalStore } from 'react'
import { reauthenticationGate } from '#web/data/api/call.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { openedLinks } from './account-links/opened-link.ts'

const dialog = lazyModule(() => import('./reauthentication/reauthentication-dialog.tsx'))

const cancelReauthentication = (): void => reauthenticationGate.settle(false)

export function ReauthenticationPrompt() {
  const isAsked = useSyncExternalStore(reauthenticationGate.subscribe, reauthenticationGate.isAsked)
  const { ReauthenticationDialog } = useSyncExternalStore(dialog.subscribe, dialog.current) ?? {}
  // Leaving the workspace pages cancels waiting requests.
  useEffect(() => cancelReauthentication, [])
  // So does a dialog that can't be loaded; the frame explains why.
  useEffect(() => {
    if (isAsked) void dialog.load().then(undefined, cancelReauthentication)
  }, [isAsked])
  return isAsked && ReauthenticationDialog && <ReauthenticationDialog />
}

const LinkDialog = lazy(() => import('./account-links/link-dialog.tsx').then((part) => ({ default: part.LinkDialog })))

export function LinkPrompt() {
  const link = useSyncExternalStore(openedLinks.subscribe, openedLinks.waiting)
  return <Suspense>{link && <LinkDialog link={link} />}</Suspense>
}
