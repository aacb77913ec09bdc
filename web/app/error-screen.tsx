import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { usePageTitle } from '#web/client/page-title.ts'
import { failureText } from '#web/client/problem-text.ts'
import { IconAlertTriangle } from '#web/kit/icons/icon-alert-triangle.ts'
import { MessageFrame } from '#web/pages/message-frame.tsx'

/** After an update of the server the old page's parts are gone; the browsers' words for that. */
const PART_MISSING = /dynamically imported module|importing a module script|error loading|preload/i

/** What is shown where a page failed: what happened, that nothing saved is lost, and the way out. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const isOutdated = error instanceof Error && PART_MISSING.test(error.message)
  const { title, detail, reference } = failureText(error)
  const shownTitle = isOutdated ? 'Dossier was updated' : title
  usePageTitle(shownTitle)
  useEffect(() => {
    // The one place that tells developers; people read the sentences below.
    reportError(error)
  }, [error])

  return (
    <MessageFrame
      icon={IconAlertTriangle}
      title={shownTitle}
      actions={
        <>
          <Button variant="filled" onClick={() => window.location.reload()}>
            Reload the page
          </Button>
          {!isOutdated && <Button onClick={reset}>Try again</Button>}
        </>
      }
    >
      <p role="alert">
        {isOutdated ? 'This page is from before the update, or the server is away. Reload it to go on.' : detail}
        {' What was saved is safe.'}
      </p>
      {reference !== undefined && <p>Reference {reference}</p>}
    </MessageFrame>
  )
}
