import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { usePageTitle } from '#web/client/page-title.ts'
import { sessionConfig } from '#web/client/session-config.ts'
import { IconMapQuestion } from '#web/kit/icons/icon-map-question.ts'
import { MessageFrame } from './message-frame.tsx'

/** What stands at an address where nothing is. */
export function NotFoundPage() {
  usePageTitle('Not found')
  const { history } = useRouter()
  return (
    <MessageFrame
      icon={IconMapQuestion}
      title="There is nothing at this address"
      actions={
        <>
          <Button component={Link} to={sessionConfig.routes.home} variant="filled">
            Go home
          </Button>
          {history.canGoBack() && <Button onClick={() => history.back()}>Go back</Button>}
        </>
      }
    >
      It may have been moved or deleted, or the address has a mistake in it. If somebody sent you this link, you may not
      be allowed to see what it leads to; ask them.
    </MessageFrame>
  )
}
