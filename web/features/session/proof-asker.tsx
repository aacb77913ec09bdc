import { useEffect, useSyncExternalStore } from 'react'
import { proofGate } from '#web/client/proof-gate.ts'
import { later } from '#web/kit/later.ts'

/** Fetched when somebody is first asked. */
const dialog = later(() => import('./proof-dialog.tsx'))

const refuse = (): void => proofGate.settle(false)

/** Stands once in the shell: whenever a call waits for a proof of who one is, the dialog asks for it. */
export function ProofAsker() {
  const isAsked = useSyncExternalStore(proofGate.subscribe, proofGate.isAsked)
  const { ProofDialog } = useSyncExternalStore(dialog.subscribe, dialog.current) ?? {}
  // Whoever leaves the pages of the workspace proves nothing any more; what waits must not wait for ever.
  useEffect(() => refuse, [])
  // Nor for a dialog that cannot be fetched; the frame says why.
  useEffect(() => {
    if (isAsked) void dialog.load().then(undefined, refuse)
  }, [isAsked])
  return isAsked && ProofDialog && <ProofDialog />
}
