import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { describeError } from '#web/data/api/error-messages.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { useSession } from '#web/data/session/use-session.ts'
import { t } from '#web/i18n/t.ts'
import { MessageFrame, NotFoundPage } from '#web/pages/frame/error-pages.tsx'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import { IconAlertTriangle } from '#web/ui/icons/start.ts'
import { isModuleLoadError, lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import { notify } from '#web/ui/toast/notify.ts'

/** Shown in the app frame in place of a crashed page; tells the user that saved data is safe. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const isMissing = isModuleLoadError(error)
  const failure = describeError(error)
  const title = isMissing ? t('Couldn’t load this page') : failure.title
  const detail = isMissing
    ? t('Dossier has been updated since you opened it, or the server is unavailable. Reload to get the latest version.')
    : failure.detail
  usePageTitle(title)
  useEffect(() => {
    // Logs the error for developers; users see the message below.
    reportError(error)
  }, [error])
  const tryAgain = () => {
    reset()
    void router.invalidate()
  }

  return (
    <MessageFrame
      icon={IconAlertTriangle}
      title={title}
      actions={
        <>
          <Button variant="filled" onClick={tryAgain}>
            {t('Try again')}
          </Button>
          <Button onClick={() => window.location.reload()}>{t('Reload page')}</Button>
          <Button component={Link} to={sessionConfig.routes.home} variant="subtle" color="gray">
            {t('Go home')}
          </Button>
        </>
      }
    >
      <p role="alert">{detail}</p>
      <p>{t('Your saved changes are safe. Unsaved edits to a record are kept in this browser.')}</p>
      {!isMissing && <Details error={error} reference={failure.reference} />}
    </MessageFrame>
  )
}

/** Error details for administrators, collapsed by default. */
function Details({ error, reference }: { readonly error: unknown; readonly reference: string | undefined }) {
  const fault = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const lines = [
    ...(reference === undefined ? [] : [t('Reference {reference}', { reference })]),
    window.location.pathname,
    new Date().toISOString(),
    fault,
  ]
  const copy = () =>
    void navigator.clipboard.writeText(lines.join('\n')).then(
      () => notify.success(t('Details copied')),
      () => notify.error(t('Couldn’t copy the details')),
    )
  return (
    <details className="message-frame-details">
      <summary>{reference === undefined ? t('Details') : t('Reference {reference}', { reference })}</summary>
      <pre data-focus-inside tabIndex={0} aria-label={t('Details')}>
        {lines.join('\n')}
      </pre>
      <Button size="xs" onClick={copy}>
        {t('Copy details')}
      </Button>
    </details>
  )
}

/** Loaded on demand, because guests don't need the app frame. */
const Frame = lazyComponent<'Frame', { readonly children: ReactNode }>(
  () => import('#web/app/frame/shell.tsx'),
  'Frame',
)

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
