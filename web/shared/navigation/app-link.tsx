import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useEffect, useSyncExternalStore } from 'react'

type AppLinkProps = {
  readonly href: string
  readonly className?: string
  readonly tabIndex?: -1
  readonly children: ReactNode
}

/** Whether a click stays in this page; with a key held the browser opens a new tab or window. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey

/** Follows a link without leaving the page, for elements that are links of another library's making. */
export function useFollow() {
  const { history } = useRouter()
  return (event: MouseEvent<HTMLAnchorElement>) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    history.push(event.currentTarget.getAttribute('href') ?? '/')
  }
}

/** A link inside the app for places that draw hundreds of them: no preloading, no watching of the address. */
export function AppLink({ href, children, ...rest }: AppLinkProps) {
  const follow = useFollow()
  const followHere = (event: MouseEvent<HTMLAnchorElement>) => {
    // The row around it is a way to another page.
    event.stopPropagation()
    follow(event)
  }
  return (
    <a href={href} onClick={followHere} {...rest}>
      {children}
    </a>
  )
}

/** The page of a collection. */
export const collectionPath = (collection: string): string => `/collections/${encodeURIComponent(collection)}`

/** The page of a record. */
export const recordPath = (collection: string, record: string): string =>
  `${collectionPath(collection)}/${encodeURIComponent(record)}`

/** The page on which a collection's definition is changed. */
export const collectionSettingsPath = (collection: string): string => `${collectionPath(collection)}/settings`

const PRODUCT = 'Dossier'

let title = ''
const listeners = new Set<() => void>()

function setTitle(next: string) {
  if (title === next) return
  title = next
  document.title = next === '' ? PRODUCT : `${next} · ${PRODUCT}`
  for (const listener of listeners) listener()
}

/** Names the page that is shown: in the browser's tab, in the header, and to a screen reader on arrival. */
export function usePageTitle(next: string): void {
  useEffect(() => setTitle(next), [next])
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The name of the page that is shown. */
export const useCurrentPageTitle = (): string => useSyncExternalStore(subscribe, () => title)
