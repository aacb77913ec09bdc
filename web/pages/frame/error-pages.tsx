import { Button } from '@mantine/core'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import type { Permission } from '#domain/access/permission.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { PERMISSION_LABELS } from '#web/shared/formatting/permission-labels.ts'
import { t } from '#web/i18n/t.ts'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { IconLock, IconMapQuestion, IconSearch } from '#web/ui/icons/start.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import { commands } from '#web/ui/shortcuts/commands.ts'
import type { SimilarPagesProps } from './similar-pages.tsx'
import './message-frame.css'

type MessageFrameProps = {
  readonly icon: Icon
  readonly title: string
  readonly children: ReactNode
  readonly actions?: ReactNode
}

export function MessageFrame({ icon: PageIcon, title, children, actions }: MessageFrameProps) {
  return (
    <div className="message-frame">
      <PageIcon className="message-frame-icon" size={28} stroke={1.5} aria-hidden />
      <h1>{title}</h1>
      <div className="message-frame-words">{children}</div>
      {actions && <div className="message-frame-actions">{actions}</div>}
    </div>
  )
}

/** Loaded on demand, because guests have no access to collections. */
const SimilarPages = lazyComponent<'SimilarPages', SimilarPagesProps>(
  () => import('./similar-pages.tsx'),
  'SimilarPages',
)

export function NotFoundPage() {
  usePageTitle(t('Not found'))
  const user = useUser()
  const { history } = useRouter()
  const { pathname } = useLocation()
  return (
    <MessageFrame
      icon={IconMapQuestion}
      title={t('Page not found')}
      actions={
        <>
          <Button component={Link} to={sessionConfig.routes.home} variant="filled">
            {t('Go home')}
          </Button>
          {user && (
            <Button
              leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
              onClick={() => commands.run('palette')}
            >
              {t('Search')}
            </Button>
          )}
          {history.canGoBack() && <Button onClick={() => history.back()}>{t('Go back')}</Button>}
        </>
      }
    >
      <p>
        <code dir="ltr">{pathname}</code>
      </p>
      <p>
        {t(
          'It may have been moved or deleted, or the URL may be wrong. If someone sent you this link, ask them to check that you have access.',
        )}
      </p>
      {user && (
        <Suspense>
          <SimilarPages path={pathname} scope={user.scope} />
        </Suspense>
      )}
    </MessageFrame>
  )
}

type AccessDeniedScreenProps = { readonly permission: Permission }

export function AccessDeniedScreen({ permission }: AccessDeniedScreenProps) {
  usePageTitle(t('Access denied'))
  return (
    <MessageFrame
      icon={IconLock}
      title={t('You don’t have access to this page')}
      actions={
        <>
          <Button component={Link} to={sessionConfig.routes.home} variant="filled">
            {t('Go home')}
          </Button>
          <Button component={Link} to="/account/profile">
            {t('Your permissions')}
          </Button>
        </>
      }
    >
      {t('You need the permission “{permission}”. Ask an owner of this workspace for access.', {
        permission: PERMISSION_LABELS[permission],
      })}
    </MessageFrame>
  )
}
