import { useEffect, useSyncExternalStore } from 'react'
import { reauthenticationGate } from '#web/data/api/call.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'

const dialog = lazyModule(() => import('./reauthentication-dialog.tsx'))

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
