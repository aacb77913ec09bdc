import { useEffect, useSyncExternalStore } from 'react'
import { reauthenticationGate } from '#web/data/api/call.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'

/** Fetched when somebody is first asked. */
const dialog = lazyModule(() => import('./reauthentication-dialog.tsx'))

const cancelReauthentication = (): void => reauthenticationGate.settle(false)

/** Stands once in the shell: whenever a call waits for a proof of who one is, the dialog asks for it. */
export function ReauthenticationPrompt() {
  const isAsked = useSyncExternalStore(reauthenticationGate.subscribe, reauthenticationGate.isAsked)
  const { ReauthenticationDialog } = useSyncExternalStore(dialog.subscribe, dialog.current) ?? {}
  // Whoever leaves the pages of the workspace proves nothing any more; what waits must not wait for ever.
  useEffect(() => cancelReauthentication, [])
  // Nor for a dialog that cannot be fetched; the frame says why.
  useEffect(() => {
    if (isAsked) void dialog.load().then(undefined, cancelReauthentication)
  }, [isAsked])
  return isAsked && ReauthenticationDialog && <ReauthenticationDialog />
}
