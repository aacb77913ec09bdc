import { type FunctionComponent, use, useEffect, useState, useSyncExternalStore } from 'react'

/**
 * React asks twice before it believes that a part cannot be drawn, and must hear the same both times; whoever comes back
 * after that gets another try.
 */
const ERROR_CACHE_MS = 1_000

/**
 * A page whose part is fetched when it is first wanted. The router's own way reloads the whole page by itself where a part
 * is gone, and with it whatever somebody was about to write; this one tells, and lets them choose.
 */
export function lazyPage<Name extends string, Props extends object>(
  fetchPart: () => Promise<{ readonly [key in NoInfer<Name>]: FunctionComponent<Props> }>,
  name: Name,
): FunctionComponent<Props> & { readonly preload: () => Promise<void> } {
  let Shown: FunctionComponent<Props> | undefined
  let loading: Promise<void> | undefined
  let failed: { readonly fault: unknown; readonly atMs: number } | undefined

  const load = (): Promise<void> =>
    (loading ??= fetchPart().then(
      (part) => {
        Shown = part[name]
        loading = undefined
      },
      (fault: unknown) => {
        failed = { fault, atMs: Date.now() }
        loading = undefined
      },
    ))

  function LazyPage(props: Props) {
    if (failed && Date.now() - failed.atMs < ERROR_CACHE_MS) throw failed.fault
    failed = undefined
    if (!Shown) use(load())
    return Shown ? <Shown {...props} /> : null
  }
  return Object.assign(LazyPage, { preload: load })
}

/** A part of the interface that is fetched by itself, after the page it belongs to. */
export type LazyModule<Part> = {
  readonly load: () => Promise<Part>
  readonly current: () => Part | undefined
  readonly subscribe: (listener: () => void) => () => void
}

/** A part that is fetched once, whoever asks for it first; one that could not be fetched is fetched again. */
export function lazyModule<Part>(fetchPart: () => Promise<Part>): LazyModule<Part> {
  let part: Part | undefined
  let loading: Promise<Part> | undefined
  const listeners = new Set<() => void>()

  async function load(): Promise<Part> {
    try {
      part = await fetchPart()
    } finally {
      loading = undefined
    }
    for (const listener of listeners) listener()
    return part
  }
  return {
    load: async () => part ?? (loading ??= load()),
    current: () => part,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Prefetching starts at the latest this long after navigation. */
const PREFETCH_AFTER_MS = 1500

/** Without `requestIdleCallback`, idle is assumed after this long. */
const IDLE_FALLBACK_MS = 1000

let isPrefetching = false
const waiting = new Set<() => void>()

/** Allows prefetching: the page shows its first content, which prefetching would have delayed. */
export function startPrefetching(): void {
  isPrefetching = true
  for (const start of waiting) start()
  waiting.clear()
}

/** Runs `work` when the browser is idle after the first content; returns a function that cancels it. */
function whenIdle(work: () => void): () => void {
  let cancel = (): void => undefined
  const schedule = (): void => {
    if (!('requestIdleCallback' in window)) {
      const fallback = setTimeout(work, IDLE_FALLBACK_MS)
      cancel = () => clearTimeout(fallback)
      return
    }
    const handle = requestIdleCallback(work, { timeout: 2 * IDLE_FALLBACK_MS })
    cancel = () => cancelIdleCallback(handle)
  }
  if (isPrefetching) schedule()
  else {
    if (waiting.size === 0) setTimeout(startPrefetching, Math.max(0, PREFETCH_AFTER_MS - performance.now()))
    waiting.add(schedule)
  }
  return () => {
    waiting.delete(schedule)
    cancel()
  }
}

const nothing = (): void => undefined

/** The browsers' words for a part that cannot be fetched: the server is away, or was updated and has other parts now. */
const MODULE_LOAD_ERROR = /dynamically imported module|importing a module script|error loading|preload/i

/** Whether a fault says that a part of the page could not be fetched. */
export const isModuleLoadError = (error: unknown): boolean =>
  error instanceof Error && MODULE_LOAD_ERROR.test(error.message)

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/**
 * A part once it is there: dialogs and panels that nobody can need at the first look. It is fetched as soon as the page
 * can be used, so that it is there before anybody asks, and at once where it `isWanted`.
 */
export function useLazyModule<Part>(part: LazyModule<Part>, isWanted: boolean): Part | undefined {
  const [fault, setFault] = useState<Error>()
  useEffect(() => {
    if (isWanted) return void part.load().then(nothing, (error: unknown) => setFault(toError(error)))
    // What fails before it is wanted is tried again when it is.
    return whenIdle(() => void part.load().then(nothing, nothing))
  }, [part, isWanted])
  const current = useSyncExternalStore(part.subscribe, part.current)
  // A page that stands is not taken away because a part of it could not come: the frame says why.
  if (fault !== undefined && current === undefined && !isModuleLoadError(fault)) throw fault
  return current
}
