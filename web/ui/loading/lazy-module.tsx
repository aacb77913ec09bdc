import { type FunctionComponent, use, useEffect, useState } from 'react'
import { createStore, type ReadableStore, useStore } from '#web/ui/store.ts'

/**
 * React renders a failed component twice, and both renders must throw the same error; later renders load the component
 * again.
 */
const ERROR_CACHE_MS = 1_000

const OFFLINE_RETRY_MS = 2000

/** When offline, modules are available only from the service worker. */
const isOffline = (): boolean => globalThis.navigator?.onLine === false && !navigator.serviceWorker?.controller

/** A local server is reachable even without a network. */
const canReachServer = (): Promise<boolean> =>
  fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )

async function whenReachable(): Promise<void> {
  while (isOffline() && !(await canReachServer())) {
    await new Promise((resolve) => {
      window.addEventListener('online', resolve, { once: true })
      setTimeout(resolve, OFFLINE_RETRY_MS)
    })
  }
}

/** Waits until the server is reachable, because browsers never retry a module whose fetch failed. */
export const fetchModuleOnline = <Module,>(fetchModule: () => Promise<Module>): Promise<Module> =>
  isOffline() ? whenReachable().then(fetchModule) : fetchModule()

export type LazyComponent<Props extends object> = FunctionComponent<Props> & {
  /** Never rejects; the error is thrown during rendering. */
  readonly preload: () => Promise<void>
  readonly load: () => Promise<void>
}

/**
 * Loads a component when it is first rendered; once loaded, it renders without suspending. If its chunk no longer
 * exists, it doesn't reload the page, unlike the router's lazy component, so that unsaved input isn't lost.
 */
export function lazyComponent<Name extends string, Props extends object>(
  fetchModule: () => Promise<{ readonly [key in NoInfer<Name>]: FunctionComponent<Props> }>,
  name: Name,
): LazyComponent<Props> {
  let Loaded: FunctionComponent<Props> | undefined
  let loading: Promise<void> | undefined
  let failed: { readonly fault: unknown; readonly atMs: number } | undefined

  const preload = (): Promise<void> =>
    (loading ??= fetchModuleOnline(fetchModule).then(
      (module) => {
        Loaded = module[name]
        loading = undefined
      },
      (fault: unknown) => {
        failed = { fault, atMs: Date.now() }
        loading = undefined
      },
    ))
  const load = async (): Promise<void> => {
    if (!Loaded) await preload()
    if (!Loaded) throw failed?.fault
  }

  function LazyLoaded(props: Props) {
    if (failed && Date.now() - failed.atMs < ERROR_CACHE_MS) throw failed.fault
    failed = undefined
    if (!Loaded) use(preload())
    return Loaded ? <Loaded {...props} /> : null
  }
  return Object.assign(LazyLoaded, { preload, load })
}

/** A store whose state is undefined until the module has loaded. */
export type LazyModule<Part> = ReadableStore<Part | undefined> & { readonly load: () => Promise<Part> }

export function lazyModule<Part>(fetchPart: () => Promise<Part>): LazyModule<Part> {
  const { get, set, subscribe } = createStore<Part | undefined>(undefined)
  let loading: Promise<Part> | undefined

  async function load(): Promise<Part> {
    try {
      const part = await fetchModuleOnline(fetchPart)
      set(part)
      return part
    } finally {
      loading = undefined
    }
  }
  return { load: async () => get() ?? (loading ??= load()), get, subscribe }
}

/** Prefetching starts at most this many ms after the page opens, unless it is paused. */
const PREFETCH_AFTER_MS = 1500
/** In ms: maximum time for which prefetching is paused. */
const HOLD_MS = 5000

/** In ms: browsers without `requestIdleCallback` are considered idle after this time. */
const IDLE_FALLBACK_MS = 1000

let isPrefetching = false
let startsAtMs = PREFETCH_AFTER_MS
const waiting = new Set<() => void>()

/** Starts prefetching once the first content is shown; starting earlier would delay that content. */
export function startPrefetching(): void {
  isPrefetching = true
  for (const start of waiting) start()
  waiting.clear()
}

/** Pauses prefetching until the next content is shown. */
export function holdPrefetching(): void {
  isPrefetching = false
  startsAtMs = performance.now() + HOLD_MS
}

/** Checks again when the time is reached, because prefetching may have been paused in the meantime. */
function startWhenDue(): void {
  const leftMs = startsAtMs - performance.now()
  if (leftMs > 0) setTimeout(startWhenDue, leftMs)
  else startPrefetching()
}

/** Runs `work` once the first content has been shown and the browser is idle; returns a function that cancels it. */
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
    if (waiting.size === 0) startWhenDue()
    waiting.add(schedule)
  }
  return () => {
    waiting.delete(schedule)
    cancel()
  }
}

const nothing = (): void => undefined

/** Browser error messages for a chunk that can't be loaded because the server is unreachable or was updated. */
const MODULE_LOAD_ERROR = /dynamically imported module|importing a module script|error loading|preload/i

export const isModuleLoadError = (error: unknown): boolean =>
  error instanceof Error && MODULE_LOAD_ERROR.test(error.message)

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** A lazily loaded module, prefetched when the page is idle or loaded immediately if `isWanted`. */
export function useLazyModule<Part>(part: LazyModule<Part>, isWanted: boolean): Part | undefined {
  const [fault, setFault] = useState<Error>()
  useEffect(() => {
    if (isWanted) return void part.load().then(nothing, (error: unknown) => setFault(toError(error)))
    // A failed prefetch is retried when the module is needed.
    return whenIdle(() => void part.load().then(nothing, nothing))
  }, [part, isWanted])
  const current = useStore(part)
  // A chunk that can't be loaded must not crash the page; the page frame shows the error.
  if (fault !== undefined && current === undefined && !isModuleLoadError(fault)) throw fault
  return current
}
