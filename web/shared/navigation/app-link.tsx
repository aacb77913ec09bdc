import { takeEarlySignIn } from '#web/data/session/early-sign-in.ts'
import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useEffect } from 'react'
import { workspaceTitle } from '#web/data/session/branding.ts'
import { createStore, useStore } from '#web/ui/store.ts'

type AppLinkProps = {
  readonly href: string
  readonly className?: string
  readonly tabIndex?: -1
  readonly children: ReactNode
}

/** With a modifier key, the browser opens a new tab or window. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey

/** Returns a click handler for link elements from other libraries. */
export function useFollow() {
  const { history } = useRouter()
  return (event: MouseEvent<HTMLAnchorElement>) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    history.push(event.currentTarget.getAttribute('href') ?? '/')
  }
}

/** A lightweight link for pages with hundreds of links: no prefetching or active state. */
export function AppLink({ href, children, ...rest }: AppLinkProps) {
  const follow = useFollow()
  const followHere = (event: MouseEvent<HTMLAnchorElement>) => {
    // Prevents the surrounding row, which is also a link, from handling the click.
    event.stopPropagation()
    follow(event)
  }
  return (
    <a href={href} onClick={followHere} {...rest}>
      {children}
    </a>
  )
}

export const collectionPath = (collection: string): string => `/collections/${encodeURIComponent(collection)}`

export const recordPath = (collection: string, record: string): string =>
  `${collectionPath(collection)}/${encodeURIComponent(record)}`

export const collectionSettingsPath = (collection: string): string => `${collectionPath(collection)}/settings`

const title = createStore('')

function setTitle(next: string) {
  if (title.get() === next) return
  title.set(next)
  drawTitle()
}

/** Sets the page title, followed by the workspace name. */
export function drawTitle(): void {
  document.title = title.get() === '' ? workspaceTitle() : `${title.get()} · ${workspaceTitle()}`
}

/** The title is shown in the browser tab and the header, and announced by screen readers. */
export function usePageTitle(next: string): void {
  useEffect(() => setTitle(next), [next])
  useEffect(() => void takeEarlySignIn(), [])
}

export const useCurrentPageTitle = (): string => useStore(title)
