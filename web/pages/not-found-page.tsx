import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { usePageTitle } from '#web/client/page-title.ts'
import { sessionConfig } from '#web/client/session-config.ts'
import { IconMapQuestion } from '#web/kit/icons/icon-map-question.ts'
import { t } from '#web/language/t.ts'
import { MessageFrame } from './message-frame.tsx'

/** What stands at an address where nothing is. */
export function NotFoundPage() {
  usePageTitle(t('Not found'))
  const { history } = useRouter()
  return (
    <MessageFrame
      icon={IconMapQuestion}
      title={t('There is nothing at this address')}
      actions={
        <>
          <Button component={Link} to={sessionConfig.routes.home} variant="filled">
            {t('Go home')}
          </Button>
          {history.canGoBack() && <Button onClick={() => history.back()}>{t('Go back')}</Button>}
        </>
      }
    >
      {t(
        'It may have been moved or deleted, or the address has a mistake in it. If somebody sent you this link, you may not be allowed to see what it leads to; ask them.',
      )}
    </MessageFrame>
  )
}
