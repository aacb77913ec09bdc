import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { proofGate } from '#web/client/proof-gate.ts'

/** Fetched when somebody is first asked. */
const ProofDialog = lazy(() => import('./proof-dialog.tsx').then((part) => ({ default: part.ProofDialog })))

/** Stands once in the shell: whenever a call waits for a proof of who one is, the dialog asks for it. */
export function ProofAsker() {
  const isAsked = useSyncExternalStore(proofGate.subscribe, proofGate.isAsked)
  // Whoever leaves the pages of the workspace proves nothing any more; what waits must not wait for ever.
  useEffect(() => () => proofGate.settle(false), [])
  return <Suspense>{isAsked && <ProofDialog />}</Suspense>
}
