/** A tab waits this long for the others; their locks may be orphaned, and rightness never depends on them. */
const LOCK_WAIT_MS = 3000

/** Does something in this tab while no other tab of this browser does it, or after a short wait in any case. */
export async function withTabLock<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  // Browsers have locks only on https and on this very machine.
  const locks = 'locks' in navigator ? navigator.locks : undefined
  if (!locks) return work()
  let free: () => void = () => undefined
  const finished = new Promise<void>((resolve) => (free = resolve))
  const isHeld = await new Promise<boolean>((resolve) => {
    locks
      .request('dossier.refresh', { signal: AbortSignal.timeout(LOCK_WAIT_MS) }, () => {
        resolve(true)
        return finished
      })
      .then(undefined, () => resolve(false))
  })
  return work().finally(() => (isHeld ? free() : undefined))
}
