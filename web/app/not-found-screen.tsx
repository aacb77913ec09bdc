import { useSession } from '#web/client/use-session.ts'
import { NotFoundPage } from '#web/pages/not-found-page.tsx'
import { Frame } from './shell.tsx'

/** The not-found page, inside the shell for those who are signed in: they are lost, not locked out. */
export function NotFoundScreen() {
  const { status } = useSession()
  if (status !== 'signed-in') return <NotFoundPage />
  return (
    <Frame>
      <NotFoundPage />
    </Frame>
  )
}
