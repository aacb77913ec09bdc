/** Waits so long, in ms; sooner over when the signal says so. */
export type Delay = (ms: number, signal: AbortSignal | undefined) => Promise<void>

/** Waits by the clock of the browser. */
export const abortableDelay: Delay = (ms, signal) =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted === true) end()
  })
