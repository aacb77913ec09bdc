import { type FunctionComponent, use } from 'react'

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
