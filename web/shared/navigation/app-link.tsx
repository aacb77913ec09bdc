import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

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
