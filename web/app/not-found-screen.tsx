import { type ReactNode, Suspense } from 'react'
import { useSession } from '#web/data/session/use-session.ts'
import { NotFoundPage } from '#web/pages/errors/not-found-page.tsx'
import { lazyPage } from '#web/ui/loading/lazy-module.tsx'

/** Strangers need no shell, so it is fetched only for those who see it. */
const Frame = lazyPage<'Frame', { readonly children: ReactNode }>(() => import('./frame/shell.tsx'), 'Frame')

/** The not-found page, inside the shell for those who are signed in: they are lost, not locked out. */
export function NotFoundScreen() {
  const { status } = useSession()
  if (status !== 'signed-in')
    return (
      <main>
        <NotFoundPage />
      </main>
    )
  return (
    <Suspense>
      <Frame>
        <NotFoundPage />
      </Frame>
    </Suspense>
  )
}
