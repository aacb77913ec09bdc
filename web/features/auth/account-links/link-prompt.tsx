import { lazy, Suspense, useSyncExternalStore } from 'react'
import { openedLinks } from './opened-link.ts'

/** Fetched when somebody first needs it. */
const LinkDialog = lazy(() => import('./link-dialog.tsx').then((part) => ({ default: part.LinkDialog })))

/** Stands once in the shell: says what became of a link from a letter that was opened by somebody signed in. */
export function LinkPrompt() {
  const link = useSyncExternalStore(openedLinks.subscribe, openedLinks.waiting)
  return <Suspense>{link && <LinkDialog link={link} />}</Suspense>
}
